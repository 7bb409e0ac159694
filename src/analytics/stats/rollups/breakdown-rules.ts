import { type SaleScope } from '../../../orders/ledger/ledger.types.js';
import { type SaleEvent, type SaleFacts } from '../../../orders/ledger/sale-events.js';
import { netMinorOf, type SalesSums } from './sale-sums.js';
import { type Interval } from './sales.types.js';

export const BREAKDOWNS = ['product', 'server', 'paymentMethod', 'discount'] as const;
/** What the sales of a shop are split by. */
export type Breakdown = (typeof BREAKDOWNS)[number];

/** `shop`: all sales in a currency. `serverProduct`: those of a product for a server. */
export const SALES_PARTS = [...BREAKDOWNS, 'shop', 'serverProduct'] as const;

/** Which sales to split, and by what. */
export interface PartsQuery {
  readonly shopId: string;
  /** ISO 4217. Orders in other currencies do not count. */
  readonly currency: string;
  readonly window: Interval;
  readonly by: Breakdown;
}

/** Some sales of a shop, for which sums are kept. */
export interface SalesPart {
  readonly by: (typeof SALES_PARTS)[number];
  /** The id of the product or server, the name of the provider, or the code. Null without a server, or without a payment (a free order). */
  readonly key: string | null;
  /** The product of which the part has only the share; null when it has all of its orders. */
  readonly productId: string | null;
}

/** The key of a part, and its sums. */
export interface PartSums {
  readonly key: SalesPart['key'];
  readonly sums: SalesSums;
}

const part = (by: SalesPart['by'], key: string | null, productId: string | null = null): SalesPart => {
  return { by, key, productId };
};

/** The part that has the sales of a scope. */
export function partOf({ serverId, productId }: SaleScope): SalesPart {
  if (productId === null) return serverId === null ? part('shop', null) : part('server', serverId);
  return serverId === null
    ? part('product', productId, productId)
    : part('serverProduct', `${serverId} ${productId}`, productId);
}

/** The parts to which an event belongs. One of an order that is not paid belongs to no payment method and no code. */
export function partsOf({ currency, items, serverId, discountCode }: SaleFacts, event: SaleEvent): SalesPart[] {
  const servers = serverId === null ? [null] : [null, serverId];
  const products = [null, ...new Set(items.map(({ productId }) => productId))];
  const parts = servers.flatMap((server) =>
    products.map((productId) => partOf({ currency, serverId: server, productId })),
  );
  if (serverId === null) parts.push(part('server', null));
  if (event.kind === 'created' || event.kind === 'converted') return parts;
  parts.push(part('paymentMethod', event.provider));
  if (discountCode !== null) parts.push(part('discount', discountCode));
  return parts;
}

/**
 * The parts in which a paid order was counted, those with the most net revenue first; parts with equal revenue in the order of their
 * keys. Sums of unpaid orders are left out.
 */
export function sortedParts(parts: ReadonlyMap<SalesPart['key'], SalesSums>): PartSums[] {
  return [...parts]
    .map(([key, sums]): PartSums => ({ key, sums: { ...sums, orders: 0, convertedOrders: 0 } }))
    .filter(({ sums }) => Object.values(sums).some((sum) => sum !== 0))
    .sort(
      (left, right) =>
        netMinorOf(right.sums) - netMinorOf(left.sums) || ((left.key ?? '') < (right.key ?? '') ? -1 : 1),
    );
}
