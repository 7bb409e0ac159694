import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { type Figures as TodayFigures, type Overview } from '../../api/types.ts';
import { shopKey } from '../../app/queries.ts';
import { useMoney, useShop } from '../../app/shop.tsx';
import { useLanguage } from '../../lang/language.tsx';
import { Chart } from '../../ui/chart.tsx';
import { changeOf, roundMoney } from '../../ui/formats.ts';
import { Icon } from '../../ui/icons.tsx';
import { Card } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';

export type FigurePeriod = 'today' | '7d' | '30d';

interface Metric {
  readonly current: number | null;
  readonly previous: number | null;
}
type Sums = Readonly<Record<string, number>>;
export interface Comparison {
  readonly currency: string;
  readonly complete: boolean;
  readonly metrics: Readonly<Record<string, Metric>>;
  readonly series: readonly {
    readonly from: string | null;
    readonly current: Sums | null;
    readonly previous: Sums | null;
  }[];
}

const RARELY_MS = 60_000;

export function useComparison(query: Readonly<Record<string, string | undefined>>, isWanted = true) {
  const shop = useShop();
  return useQuery({
    queryKey: shopKey(shop._id, 'comparison', query),
    queryFn: () => dataOf(api.get('/api/v2/stats/{shopId}/comparison', { path: { shopId: shop._id }, query })),
    enabled: isWanted,
    refetchInterval: RARELY_MS,
  });
}

/** How a figure differs from that of the period before. */
export function Delta({
  now,
  before,
  isBadWhenUp = false,
}: {
  readonly now: number;
  readonly before: number;
  readonly isBadWhenUp?: boolean;
}) {
  const { t, language } = useLanguage();
  const change = changeOf(now, before, language);
  if (!('percent' in change)) return <span className="delta same">{t(`figure.${change.kind}`)}</span>;
  const isGood = (change.kind === 'up') !== isBadWhenUp;
  return (
    <span className={`delta ${isGood ? 'up' : 'down'}`}>
      <Icon name={change.kind === 'up' ? 'up' : 'down'} />
      {change.percent}
    </span>
  );
}

const NAMES = ['netRevenue', 'paidOrders', 'averageOrderValue', 'uniqueBuyers'] as const;
const MONEY = new Set<string>(['netRevenue', 'averageOrderValue']);

/** Four numbers: today against the same hours a week ago, or days against as many days before. */
export function Figures({ overview, period }: { readonly overview: Overview; readonly period: FigurePeriod }) {
  const { t, language } = useLanguage();
  const money = useMoney();
  const comparison = useComparison({ period }, period !== 'today').data;
  const ofToday = (name: keyof TodayFigures): Metric => ({
    current: overview.today?.today.figures[name] ?? null,
    previous: overview.today?.weekBefore.figures[name] ?? null,
  });
  const note = t(period === 'today' ? 'figure.sameHours' : 'figure.daysBefore');
  return (
    <section className="stats" aria-label={note}>
      {NAMES.map((name) => {
        const metric = period === 'today' ? ofToday(name) : comparison?.metrics[name];
        const { current, previous } = metric ?? { current: null, previous: null };
        return (
          <div className="card stat" key={name}>
            <small>{t(`figure.${name}`)}</small>
            <b>{current === null ? '–' : MONEY.has(name) ? money(current) : current.toLocaleString(language)}</b>
            {current !== null && previous !== null && <Delta now={current} before={previous} />}
            <span className="dim small note">{note}</span>
          </div>
        );
      })}
    </section>
  );
}

/** The one chart of the first page. */
export function Revenue() {
  const { t, language } = useLanguage();
  const shop = useShop();
  const money = useMoney();
  const comparison = useComparison({ period: '30d', granularity: 'day' });
  const day = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: shop.timezone });
  return (
    <Card
      title={t('home.revenue')}
      side={comparison.data && <b className="num b6">{money(comparison.data.metrics['netRevenue']?.current ?? 0)}</b>}
    >
      <Loaded query={comparison} rows={6}>
        {({ series, complete }) => (
          <Chart
            title={t('home.chartTitle')}
            isOpen={!complete}
            format={(value) => money(value)}
            formatAxis={(value) => roundMoney(value, shop.currency, language)}
            points={series.map(({ from, current, previous }) => ({
              label: from === null ? '' : day.format(new Date(from)),
              current: current?.['netRevenue'] ?? null,
              previous: previous?.['netRevenue'] ?? null,
            }))}
          />
        )}
      </Loaded>
    </Card>
  );
}
