import { type ClientSession, type Collection, type Db, ObjectId } from 'mongodb';
import { spread } from '../../src/catalogue/pricing/price-basket.js';
import { type Breakdown } from '../../src/analytics/stats/rollups/breakdown-rules.js';
import { eventsOf, factsOf, type SaleState } from '../../src/orders/ledger/sale-events.js';
import { type Order } from '../../src/orders/order/order.types.js';
import { HOUR_MS } from '../../src/lib/time/durations.js';

/** The fields of an order that statistics use. `store` fills in the rest. */
export interface SoldOrder {
  /** A new one when absent. */
  readonly id?: string;
  readonly shopId: string;
  readonly serverId: string;
  readonly buyerKey: string;
  readonly items: readonly { readonly productId: string; readonly quantity: number; readonly unitPriceMinor: number }[];
  /** Absent: no code, or any code. */
  readonly discountCode?: string;
  readonly discountMinor: number;
  readonly currency: string;
  readonly createdAt: Date;
  readonly paidAt: Date | null;
  /** Who took the payment; absent: nobody. */
  readonly provider?: string;
  readonly isFirstPurchase: boolean | null;
  readonly reversals: readonly {
    readonly kind: 'refund' | 'chargeback';
    readonly amountMinor: number;
    readonly at: Date;
  }[];
}

export const subtotalOf = ({ items }: SoldOrder): number =>
  items.reduce((sum, { quantity, unitPriceMinor }) => sum + quantity * unitPriceMinor, 0);

/** The payment events of an order, as far as statistics read them. */
export const paymentsOf = ({ provider, paidAt }: SoldOrder): SaleState['payments'] =>
  provider === undefined || paidAt === null ? [] : [{ provider, type: 'payment.succeeded', occurredAt: paidAt }];

const discountOf = ({ discountMinor, discountCode }: SoldOrder): { code: string; amountMinor: number } | null =>
  discountMinor === 0 && discountCode === undefined
    ? null
    : { code: discountCode ?? 'CODE', amountMinor: discountMinor };

/** The items with what they cost, and their parts in the discount. */
const withParts = ({ items, discountMinor }: SoldOrder) =>
  spread(
    items.map((item) => ({ ...item, totalMinor: item.quantity * item.unitPriceMinor })),
    discountMinor,
  );

/** What the service has of such an order, as far as the ledger reads it. */
export const asOrder = (sold: SoldOrder & { readonly id: string }): Order =>
  ({
    ...sold,
    nicknameKey: 'steve_42',
    items: withParts(sold),
    itemCount: sold.items.reduce((sum, { quantity }) => sum + quantity, 0),
    subtotalMinor: subtotalOf(sold),
    discount: discountOf(sold),
    totalMinor: subtotalOf(sold) - sold.discountMinor,
    payments: paymentsOf(sold),
  }) as unknown as Order;

/** Writes orders and their entries of the ledger as the service would store them, at any time. */
export async function storeWithLedger(database: Db, sold: readonly SoldOrder[]): Promise<void> {
  const orders = sold.map((order) => ({ ...order, id: new ObjectId().toHexString() }));
  await store(database.collection('orders'), orders);
  await database.collection('stats_ledger').insertMany(
    orders.map((order) => {
      const { orderId, serverId, items, ...facts } = factsOf(asOrder(order));
      return {
        ...facts,
        shopId: new ObjectId(order.shopId),
        orderId: new ObjectId(orderId),
        serverId: new ObjectId(serverId ?? undefined),
        items: items.map(({ productId, ...item }) => ({ productId: new ObjectId(productId), ...item })),
        events: eventsOf(asOrder(order)),
        pending: true,
      };
    }),
  );
}

let stored = 0;

/** Writes orders as the service would store them, at any time. */
export async function store(
  orders: Collection,
  sold: readonly SoldOrder[],
  options: { readonly session?: ClientSession } = {},
): Promise<void> {
  await orders.insertMany(
    sold.map((order) => ({
      _id: new ObjectId(order.id),
      shopId: new ObjectId(order.shopId),
      number: ++stored,
      origin: 'checkout',
      serverId: new ObjectId(order.serverId),
      nickname: 'Steve_42',
      email: order.buyerKey,
      buyerKey: order.buyerKey,
      nicknameKey: 'steve_42',
      status: order.paidAt === null ? 'open' : 'completed',
      paymentStatus: order.paidAt === null ? 'pending' : 'paid',
      deliveryStatus: 'none',
      items: withParts(order).map(({ productId, unitPriceMinor, ...item }) => ({
        ...item,
        productId: new ObjectId(productId),
        name: 'VIP rank',
        listMinor: unitPriceMinor,
        unitPriceMinor,
        commands: [],
      })),
      itemCount: order.items.reduce((sum, { quantity }) => sum + quantity, 0),
      subtotalMinor: subtotalOf(order),
      discount: discountOf(order),
      discountMinor: order.discountMinor,
      totalMinor: subtotalOf(order) - order.discountMinor,
      currency: order.currency,
      createdAt: order.createdAt,
      paidAt: order.paidAt,
      expiresAt: new Date(order.createdAt.getTime() + HOUR_MS),
      isFirstPurchase: order.isFirstPurchase,
      payments: [...paymentsOf(order)],
      reversals: [...order.reversals],
      history: [],
      accessTokenHash: 'none',
    })),
    options,
  );
}

interface Window {
  readonly from: string | null;
  readonly to: string | null;
}

/** Which orders are counted, and which part of them. */
export interface Filter {
  readonly serverId?: string;
  readonly productId?: string;
}

/** An amount in parts: the shares rounded down, and one unit more for each of the largest remainders, the first of equal ones first. */
function splitByHand(amount: number, weights: readonly number[]): number[] {
  const counted = weights.every((weight) => weight === 0) ? weights.map(() => 1) : weights;
  const whole = counted.reduce((total, weight) => total + weight, 0);
  const parts = counted.map((weight) => Math.floor((amount * weight) / whole));
  const remainders = counted.map((weight) => (amount * weight) % whole);
  for (let left = amount - parts.reduce((total, part) => total + part, 0); left > 0; left--) {
    const line = remainders.indexOf(Math.max(...remainders));
    parts[line] = (parts[line] ?? 0) + 1;
    remainders[line] = -1;
  }
  return parts;
}

/** The figures of a window, counted in the slow and simple way. The service's sums must equal them. */
export function countedByHand(
  all: readonly SoldOrder[],
  { from, to }: Window,
  { serverId, productId }: Filter,
): Record<string, number | null> {
  const [start, end] = [Date.parse(from ?? ''), Date.parse(to ?? '')];
  const inside = (at: Date | null): boolean => at !== null && at.getTime() >= start && at.getTime() < end;
  const mine = all.filter(
    (order) =>
      (serverId === undefined || order.serverId === serverId) &&
      (productId === undefined || order.items.some((item) => item.productId === productId)),
  );
  const itemsOf = ({ items }: SoldOrder): SoldOrder['items'] =>
    items.filter((item) => productId === undefined || item.productId === productId);
  const soldOf = (order: SoldOrder): number => subtotalOf({ ...order, items: itemsOf(order) });
  const sum = <Item>(items: readonly Item[], amount: (item: Item) => number): number =>
    items.reduce((total, item) => total + amount(item), 0);
  /** The part of the lines of the product in an amount of an order. */
  const part = (order: SoldOrder, amount: number, weights: readonly number[]): number =>
    sum([...splitByHand(amount, weights).entries()], ([line, minor]) =>
      productId === undefined || order.items[line]?.productId === productId ? minor : 0,
    );
  const costsOf = ({ items }: SoldOrder): number[] => items.map((item) => item.quantity * item.unitPriceMinor);
  const netsOf = (order: SoldOrder): number[] => {
    const discounts = splitByHand(order.discountMinor, costsOf(order));
    return costsOf(order).map((cost, line) => cost - (discounts[line] ?? 0));
  };
  const sumBefore = ({ reversals }: SoldOrder, index: number): number =>
    sum(reversals.slice(0, index), ({ amountMinor }) => amountMinor);

  const created = mine.filter((order) => inside(order.createdAt));
  const paid = mine.filter((order) => inside(order.paidAt));
  const grossOf = (order: SoldOrder): number => soldOf(order) - part(order, order.discountMinor, costsOf(order));
  const gross = sum(paid, grossOf);
  /** What goes back is split together with all that went back before it. */
  const back = (kind: string): number =>
    sum(mine, (order) =>
      sum([...order.reversals.entries()], ([index, reversal]) =>
        reversal.kind === kind && inside(reversal.at)
          ? part(order, sumBefore(order, index + 1), netsOf(order)) -
            part(order, sumBefore(order, index), netsOf(order))
          : 0,
      ),
    );
  return {
    grossRevenue: gross / 100,
    refunds: back('refund') / 100,
    chargebacks: back('chargeback') / 100,
    netRevenue: (gross - back('refund') - back('chargeback')) / 100,
    orders: created.length,
    paidOrders: paid.length,
    averageOrderValue: paid.length === 0 ? null : Math.round(gross / paid.length) / 100,
    uniqueBuyers: new Set(paid.map(({ buyerKey }) => buyerKey)).size,
    newBuyers: paid.filter(({ isFirstPurchase }) => isFirstPurchase).length,
    conversion:
      created.length === 0
        ? null
        : Math.round((created.filter(({ paidAt }) => paidAt !== null).length * 10_000) / created.length) / 10_000,
    discountTotal: sum(paid, (order) => soldOf(order) - grossOf(order)) / 100,
    itemsSold: sum(paid, (order) => sum(itemsOf(order), ({ quantity }) => quantity)),
  };
}

/** The rows of a breakdown, counted in the slow and simple way. */
export function brokenDownByHand(all: readonly SoldOrder[], window: Window, by: Breakdown): unknown[] {
  const keysOf = ({ items, serverId, provider, discountCode }: SoldOrder): readonly (string | null | undefined)[] => {
    if (by === 'product') return items.map(({ productId }) => productId);
    return [{ server: serverId, paymentMethod: provider ?? null, discount: discountCode }[by]];
  };
  const keys = [...new Set(all.flatMap(keysOf))].filter((key) => key !== undefined);
  return keys
    .map((key): Record<string, string | number | null> => {
      const ofKey = all.filter((order) => keysOf(order).includes(key));
      const filter = by === 'product' && key !== null ? { productId: key } : {};
      const {
        orders: _o,
        conversion: _c,
        averageOrderValue: _a,
        uniqueBuyers: _u,
        ...figures
      } = countedByHand(ofKey, window, filter);
      return { key, ...figures };
    })
    .filter(({ key: _key, ...figures }) => Object.values(figures).some((figure) => figure !== 0))
    .sort(
      (left, right) =>
        Number(right['netRevenue']) - Number(left['netRevenue']) || ((left.key ?? '') < (right.key ?? '') ? -1 : 1),
    );
}
