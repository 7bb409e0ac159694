import { type LedgerEntry } from '../../../orders/ledger/ledger.types.js';
import { DAY_MS } from '../../../lib/time/durations.js';
import { partsOf, type SalesPart } from './breakdown-rules.js';
import { type RollupRecord } from './rollup.schema.js';
import { sumsOf } from './sale-sums.js';
import { beginningOf, QUARTER_MS } from './time-cells.js';

/** What some entries of the ledger add to a rollup. */
export interface RollupChange extends SalesPart {
  /** ISO 4217. */
  readonly currency: string;
  readonly per: RollupRecord['per'];
  /** When the day begins. */
  readonly atMs: number;
  /** What is added to the sums, by the paths of their fields. */
  readonly increments: Map<string, number>;
  /** How often each buyer paid: in the `day`, or in each quarter. Below 0 when more payments were reversed than made. */
  readonly payments: Map<string, Map<string, number>>;
}

const WITHOUT_BUYERS: readonly SalesPart['by'][] = ['paymentMethod', 'discount'];

const increase = (sums: Map<string, number>, name: string, by: number): void => {
  sums.set(name, (sums.get(name) ?? 0) + by);
};

/** The fields for a day, and for the quarter of it that contains an instant. */
function fieldsAt(atMs: number) {
  const quarter = Math.floor((atMs % DAY_MS) / QUARTER_MS);
  return [
    { per: 'day', sums: '', buyers: 'day' },
    { per: 'quarter', sums: `quarters.${quarter}.`, buyers: String(quarter) },
  ] as const;
}

/** What some entries add to the rollups of all parts. */
export function changesOf(entries: readonly LedgerEntry[]): RollupChange[] {
  const changes = new Map<string, RollupChange>();
  const changeOf = (part: SalesPart, currency: string, per: RollupRecord['per'], atMs: number): RollupChange => {
    const name = JSON.stringify([currency, part.by, part.key, per, atMs]);
    const change = changes.get(name) ?? { ...part, currency, per, atMs, increments: new Map(), payments: new Map() };
    changes.set(name, change);
    return change;
  };
  for (const entry of entries) {
    for (const event of entry.events) {
      const atMs = event.at.getTime();
      for (const part of partsOf(entry, event)) {
        const added = Object.entries(sumsOf(entry, event, part.productId));
        for (const field of fieldsAt(atMs)) {
          const change = changeOf(part, entry.currency, field.per, beginningOf(atMs, DAY_MS));
          for (const [sum, by] of added) increase(change.increments, field.sums + sum, by);
          if (event.kind !== 'paid' || WITHOUT_BUYERS.includes(part.by)) continue;
          const payments = change.payments.get(field.buyers) ?? new Map<string, number>();
          change.payments.set(field.buyers, payments);
          increase(payments, entry.buyerKey, event.count);
        }
      }
    }
  }
  return [...changes.values()];
}
