import { useState } from 'react';
import { useSearchState } from '../../app/links.tsx';
import { useMoney } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { Card } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Delta } from '../home/figures.tsx';
import { type PeriodQuery } from './period.ts';
import { type Breakdown, type By, type Comparison, useBreakdown } from './reports.ts';

const FIRST_ROWS = 5;
/** The names that the providers have themselves. */
const PROVIDERS: Readonly<Record<string, string>> = {
  coinbase: 'Coinbase',
  mercadopago: 'Mercado Pago',
  mollie: 'Mollie',
  paypal: 'PayPal',
  stripe: 'Stripe',
  yookassa: 'YooKassa',
};
const FILTERS: Readonly<Partial<Record<By, 'serverId' | 'productId'>>> = { server: 'serverId', product: 'productId' };

/** One way to split the sales of the period, each row beside that of the earlier one. */
export function SalesBy(props: {
  readonly by: By;
  readonly query: PeriodQuery;
  /** The earlier period; it is known once the comparison is. */
  readonly previous: Comparison['previous'] | undefined;
}) {
  const t = useT();
  const { by, query, previous } = props;
  const now = useBreakdown(by, query);
  const before = useBreakdown(by, previous === undefined ? null : { period: 'custom', ...previous }).data;
  return (
    <Card title={t(`statistics.by.${by}`)}>
      <Loaded query={now}>
        {(breakdown) =>
          breakdown.rows.length === 0 ? (
            <p className="muted">{t('statistics.none')}</p>
          ) : (
            <Rows by={by} breakdown={breakdown} before={before} />
          )
        }
      </Loaded>
    </Card>
  );
}

function Rows(props: { readonly by: By; readonly breakdown: Breakdown; readonly before: Breakdown | undefined }) {
  const t = useT();
  const money = useMoney();
  const [isAll, setAll] = useState(false);
  const { by, breakdown, before } = props;
  const { rows } = breakdown;
  const most = Math.max(...rows.map(({ netRevenue }) => netRevenue), 0);
  return (
    <>
      <ul>
        {rows.slice(0, isAll ? undefined : FIRST_ROWS).map(({ key, name, netRevenue, paidOrders }) => {
          const earlier = before?.rows.find((row) => row.key === key)?.netRevenue;
          const isKnown = before !== undefined && before.rows.length === before.total;
          const share = most === 0 ? 0 : Math.max(netRevenue, 0) / most;
          return (
            <li className="barrow" key={key ?? ''}>
              <Name by={by} id={key} name={name} />
              <span className="num b6">{money(netRevenue)}</span>
              <span className="tr">
                <i style={{ width: `${share * 100}%` }} />
              </span>
              <span className="small muted">{t('statistics.paidOrders', { count: paidOrders })}</span>
              {before !== undefined && (earlier !== undefined || isKnown) && (
                <Delta now={netRevenue} before={earlier ?? 0} />
              )}
            </li>
          );
        })}
      </ul>
      {rows.length > FIRST_ROWS && (
        <button type="button" className="linkish small" aria-expanded={isAll} onClick={() => setAll(!isAll)}>
          {isAll ? t('statistics.fewer') : t('statistics.more', { count: rows.length - FIRST_ROWS })}
        </button>
      )}
      {isAll && breakdown.total > rows.length && (
        <p className="small muted">{t('statistics.first', { count: rows.length, total: breakdown.total })}</p>
      )}
    </>
  );
}

/** A product or a server leads to its own figures. */
function Name({ by, id, name }: { readonly by: By; readonly id: string | null; readonly name: string | null }) {
  const t = useT();
  const [, change] = useSearchState();
  const filter = FILTERS[by];
  if (id === null)
    return <span className="muted">{t(by === 'server' ? 'statistics.noServer' : 'statistics.other')}</span>;
  const text = name ?? PROVIDERS[id] ?? id;
  if (filter === undefined) return <span>{text}</span>;
  return (
    <button type="button" className="narrow" title={text} onClick={() => change({ [filter]: id })}>
      {text}
    </button>
  );
}
