import { type LedgerEntry } from '../../../orders/ledger/ledger.types.js';
import { type SaleEvent, type SaleFacts } from '../../../orders/ledger/sale-events.js';
import { addSales, netMinorOf, NO_SALES, type SalesSums, sumsOf } from './sale-sums.js';
import { type Interval } from './sales.types.js';
import { cellsAt, type TimeCell } from './time-cells.js';

export const BREAKDOWNS = ['product', 'server', 'paymentMethod', 'discount'] as const;
/** What the sales of a shop are split by. */
export type Breakdown = (typeof BREAKDOWNS)[number];

/** Which sales to split, and by what. */
export interface PartsQuery {
  readonly shopId: string;
  /** ISO 4217. Orders in other currencies do not count. */
  readonly currency: string;
  readonly window: Interval;
  readonly by: Breakdown;
}

/** Some sales of a shop: those of a product, for a server, by a payment provider or with a code. */
export interface SalesPart {
  readonly by: Breakdown;
  /** The id of the product or server, the name of the provider, or the code. Null without a server, or without a payment (a free order). */
  readonly key: string | null;
}

/** The key of a part, and its sums. */
export interface PartSums {
  readonly key: SalesPart['key'];
  readonly sums: SalesSums;
}

/** What some entries of the ledger add to a part in a cell of time. */
export interface PartChange extends SalesPart, TimeCell {
  /** ISO 4217. */
  readonly currency: string;
  /** Sums of 0 are left out. */
  readonly sums: Partial<SalesSums>;
}

/** The parts to which an event belongs. Events of orders that are not paid belong to none. */
function partsOf({ items, serverId, discountCode }: SaleFacts, { kind, provider }: SaleEvent): SalesPart[] {
  if (kind === 'created' || kind === 'converted') return [];
  const products = [...new Set(items.map(({ productId }) => productId))];
  return [
    ...products.map((key): SalesPart => ({ by: 'product', key })),
    { by: 'server', key: serverId },
    { by: 'paymentMethod', key: provider },
    ...(discountCode === null ? [] : [{ by: 'discount' as const, key: discountCode }]),
  ];
}

/** What an event adds to the sums of a part. A product has its share of the order's amounts. */
function sumsIn({ by, key }: SalesPart, facts: SaleFacts, event: SaleEvent): Partial<SalesSums> {
  const productId = by === 'product' ? key : null;
  return sumsOf(facts, event, { currency: facts.currency, serverId: null, productId });
}

/** What some entries add to every cell of every part. */
export function partChangesOf(entries: readonly LedgerEntry[]): PartChange[] {
  const changes = new Map<string, PartChange & PartSums>();
  for (const entry of entries) {
    for (const event of entry.events) {
      for (const part of partsOf(entry, event)) {
        const added = sumsIn(part, entry, event);
        for (const cell of cellsAt(event.at.getTime())) {
          const name = JSON.stringify([entry.currency, part.by, part.key, cell.sizeMs, cell.atMs]);
          const sums = addSales(changes.get(name)?.sums ?? NO_SALES, added);
          changes.set(name, { ...part, ...cell, currency: entry.currency, sums });
        }
      }
    }
  }
  return [...changes.values()]
    .map((change) => ({
      ...change,
      sums: Object.fromEntries(Object.entries(change.sums).filter(([, by]) => by !== 0)),
    }))
    .filter(({ sums }) => Object.keys(sums).length > 0);
}

/** The sums of the parts of a breakdown. */
export class BreakdownSums {
  private readonly parts = new Map<string | null, SalesSums>();

  constructor(private readonly by: Breakdown) {}

  add(key: string | null, sums: Partial<SalesSums>): void {
    this.parts.set(key, addSales(this.parts.get(key) ?? NO_SALES, sums));
  }

  /** Adds an event to each part to which it belongs. */
  addEvent(facts: SaleFacts, event: SaleEvent): void {
    for (const part of partsOf(facts, event)) {
      if (part.by === this.by) this.add(part.key, sumsIn(part, facts, event));
    }
  }

  /** The parts in which anything happened, those with the most net revenue first; parts with equal revenue in the order of their keys. */
  sorted(): PartSums[] {
    return [...this.parts]
      .map(([key, sums]): PartSums => ({ key, sums }))
      .filter(({ sums }) => Object.values(sums).some((sum) => sum !== 0))
      .sort(
        (left, right) =>
          netMinorOf(right.sums) - netMinorOf(left.sums) || ((left.key ?? '') < (right.key ?? '') ? -1 : 1),
      );
  }
}
