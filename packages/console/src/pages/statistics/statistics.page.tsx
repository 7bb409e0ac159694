import './statistics.css';
import { useState } from 'react';
import { apiUrl } from '../../api/client.ts';
import { useSearchState } from '../../app/links.tsx';
import { useMoney, useShop } from '../../app/shop.tsx';
import { useLanguage, useT } from '../../lang/language.tsx';
import { Chart } from '../../ui/chart.tsx';
import { roundMoney } from '../../ui/formats.ts';
import { Icon } from '../../ui/icons.tsx';
import { Alert, Card, Choice, Head } from '../../ui/parts.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Delta } from '../home/figures.tsx';
import { SalesBy } from './breakdowns.tsx';
import { type ComparisonQuery, filtersOf, type Granularity, queryOf } from './period.ts';
import { PeriodBar } from './period-bar.tsx';
import { BREAKDOWNS, type Comparison, type Figure, type Metric, useBreakdown, useComparison } from './reports.ts';

/** The figures of a period beside those of an earlier one, and what they are made of. */
export default function StatisticsPage() {
  const t = useT();
  const [search, change] = useSearchState();
  const filters = filtersOf(search);
  const query = queryOf(filters);
  const comparison = useComparison(query);
  const servers = useBreakdown('server', query).data;
  const products = useBreakdown('product', query).data;
  const isFiltered = filters.serverId !== '' || filters.productId !== '';
  return (
    <>
      <Head title={t('statistics.title')}>{query && <Download query={query} />}</Head>
      <PeriodBar filters={filters} servers={servers} products={products} />
      {query === null ? (
        <Alert title={t('statistics.chooseDates')} />
      ) : (
        <>
          <Loaded query={comparison}>
            {(data) => (
              <div className={`stack ${comparison.isPlaceholderData ? 'stale' : ''}`} aria-busy={comparison.isFetching}>
                <Measured data={data} />
                <Numbers data={data} />
                <Course data={data} granularity={query.granularity} />
              </div>
            )}
          </Loaded>
          {isFiltered && (
            <Alert
              title={t('statistics.unfiltered')}
              action={
                <button
                  type="button"
                  className="btn"
                  onClick={() => change({ serverId: undefined, productId: undefined })}
                >
                  {t('statistics.clear')}
                </button>
              }
            />
          )}
          <div className="parts-of">
            {BREAKDOWNS.map((by) => (
              <SalesBy key={by} by={by} query={query} previous={comparison.data?.previous} />
            ))}
            {comparison.data && <Paid data={comparison.data} />}
            {comparison.data && <Rest data={comparison.data} />}
          </div>
        </>
      )}
    </>
  );
}

/** The file of the figures, as spreadsheets of the language read it. */
function Download({ query }: { readonly query: ComparisonQuery }) {
  const { t, language } = useLanguage();
  const shop = useShop();
  const { period, from, to, granularity, serverId, productId } = query;
  const separator = language === 'de' ? 'semicolon' : 'comma';
  const file = apiUrl(`/stats/${shop._id}/export`, { period, from, to, granularity, serverId, productId, separator });
  return (
    <a className="btn" href={file} download>
      <Icon name="download" />
      {t('statistics.csv')}
    </a>
  );
}

/** Says what was counted, and with what it is compared. */
function Measured({ data }: { readonly data: Comparison }) {
  const { t, language } = useLanguage();
  const { timezone: timeZone, currency, complete } = data;
  const days = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', year: 'numeric', timeZone });
  const rangeOf = ({ from, to }: Comparison['period']): string =>
    // The end is no part of it.
    days.formatRange(new Date(from), new Date(Date.parse(to) - 1));
  const period = complete ? data.period : { from: data.period.from, to: data.generatedAt };
  return (
    <p className="muted small">
      {t('statistics.measured', { period: rangeOf(period), previous: rangeOf(data.previous), timeZone, currency })}
    </p>
  );
}

function Numbers({ data }: { readonly data: Comparison }) {
  const { t, language } = useLanguage();
  const money = useMoney();
  const { netRevenue, paidOrders, averageOrderValue, refunds } = data.metrics;
  const count = (value: number): string => value.toLocaleString(language);
  return (
    <section className="stats" aria-label={t('statistics.title')}>
      <Stat name="netRevenue" metric={netRevenue} format={money} />
      <Stat name="paidOrders" metric={paidOrders} format={count} />
      <Stat name="averageOrderValue" metric={averageOrderValue} format={money} />
      <Stat name="refunds" metric={refunds} format={money} isBadWhenUp />
    </section>
  );
}

function Stat(props: {
  readonly name: string;
  readonly metric: Metric;
  readonly format: (value: number) => string;
  readonly isBadWhenUp?: boolean;
}) {
  const t = useT();
  const { current, previous } = props.metric;
  return (
    <div className="card stat">
      <small>{t(`statistics.figure.${props.name}`)}</small>
      <b>{current === null ? '–' : props.format(current)}</b>
      {current !== null && previous !== null && (
        <Delta now={current} before={previous} isBadWhenUp={props.isBadWhenUp ?? false} />
      )}
      <span className="dim small note">
        {previous === null ? t('statistics.noneBefore') : t('statistics.was', { value: props.format(previous) })}
      </span>
    </div>
  );
}

const DRAWN = ['netRevenue', 'paidOrders', 'newBuyers', 'itemsSold'] as const;

/** How a figure went over the period. */
function Course({ data, granularity }: { readonly data: Comparison; readonly granularity: Granularity }) {
  const { t, language } = useLanguage();
  const money = useMoney();
  const [figure, setFigure] = useState<Figure>('netRevenue');
  const { timezone: timeZone, currency } = data;
  const label = new Intl.DateTimeFormat(
    language,
    granularity === 'hour'
      ? { hour: '2-digit', minute: '2-digit', timeZone }
      : { day: 'numeric', month: 'short', timeZone },
  );
  const labelOf = (instant: string | null): string => (instant === null ? '–' : label.format(new Date(instant)));
  const isMoney = figure === 'netRevenue';
  const count = (value: number): string => value.toLocaleString(language);
  const hasSales = data.series.some(({ current, previous }) => current?.paidOrders || previous?.paidOrders);
  return (
    <Card
      title={t(`statistics.by.${granularity}`, { figure: t(`statistics.figure.${figure}`) })}
      className="course"
      side={
        <Choice
          label={t('statistics.figure')}
          value={figure}
          options={DRAWN.map((name) => [name, t(`statistics.short.${name}`)])}
          onChange={setFigure}
        />
      }
    >
      {hasSales ? (
        <Chart
          title={t('statistics.chart', { figure: t(`statistics.figure.${figure}`) })}
          unit={t(`statistics.unit.${granularity}`)}
          isOpen={!data.complete}
          isWide
          format={isMoney ? (value) => money(value) : count}
          formatAxis={isMoney ? (value) => roundMoney(value, currency, language) : count}
          points={data.series.map(({ from, previousFrom, current, previous }) => ({
            label: labelOf(from),
            previousLabel: labelOf(previousFrom),
            current: current?.[figure] ?? null,
            previous: previous?.[figure] ?? null,
          }))}
        />
      ) : (
        <Empty title={t('statistics.nothing')} text={t('statistics.nothingText')} />
      )}
    </Card>
  );
}

/** How many of the orders that were placed have been paid. */
function Paid({ data }: { readonly data: Comparison }) {
  const { t, language } = useLanguage();
  const { orders, conversion } = data.metrics;
  const placed = orders.current ?? 0;
  const share = conversion.current ?? 0;
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const rows = [
    ['placed', placed, placed === 0 ? 0 : 1],
    ['paid', Math.round(placed * share), share],
  ] as const;
  return (
    <Card title={t('statistics.toPayment')}>
      <ul>
        {rows.map(([name, count, width]) => (
          <li className="barrow" key={name}>
            <span>{t(`statistics.step.${name}`)}</span>
            <span className="num b6">{count.toLocaleString(language)}</span>
            <span className="tr">
              <i style={{ width: `${width * 100}%` }} />
            </span>
          </li>
        ))}
      </ul>
      {conversion.current !== null && (
        <p className="muted small top">
          {conversion.previous === null
            ? t('statistics.conversion', { now: percent.format(conversion.current) })
            : t('statistics.conversionBoth', {
                now: percent.format(conversion.current),
                before: percent.format(conversion.previous),
              })}
        </p>
      )}
    </Card>
  );
}

const REST = ['grossRevenue', 'chargebacks', 'discountTotal', 'itemsSold', 'uniqueBuyers', 'newBuyers'] as const;
const MONEY: readonly string[] = ['grossRevenue', 'chargebacks', 'discountTotal'];
const BAD_WHEN_UP: readonly string[] = ['chargebacks'];

/** The other figures of the API. */
function Rest({ data }: { readonly data: Comparison }) {
  const { t, language } = useLanguage();
  const money = useMoney();
  return (
    <Card title={t('statistics.rest')}>
      <dl className="kv right rest">
        {REST.map((name) => {
          const { current, previous } = data.metrics[name];
          const now = current ?? 0;
          return (
            <div className="contents" key={name}>
              <dt>{t(`statistics.figure.${name}`)}</dt>
              <dd>
                <b className="b6">{MONEY.includes(name) ? money(now) : now.toLocaleString(language)}</b>{' '}
                <Delta now={now} before={previous ?? 0} isBadWhenUp={BAD_WHEN_UP.includes(name)} />
              </dd>
            </div>
          );
        })}
      </dl>
    </Card>
  );
}
