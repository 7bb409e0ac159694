// The orders of a shop of the benchmark of statistics, and what the service has of them when all of them are folded. Folding takes about
// 4 ms an order, because each portion is a transaction. Here the service's own functions compute the same sums in memory.
import { ObjectId } from 'bson';
import { NumberSet } from '../dist/stats/number-set.js';
import { changesOf } from '../dist/stats/rollup-changes.js';
import { eventsOf } from '../dist/stats/sale-events.js';

const PORTION = 5_000;
/** Half of the orders are the first ones of their buyers. The others are by one of so many buyers before. */
const RECENT_BUYERS = 50_000;
const PRICE_MINOR = 999;
const CURRENCY = 'EUR';

/** The orders of a shop, in equal distances. The first one is at `endMs - spanMs`. */
export class Orders {
  constructor({ count, spanMs, endMs }) {
    this.count = count;
    this.stepMs = spanMs / count;
    this.startMs = endMs - spanMs;
  }

  /** How many buyers they have. */
  get buyers() {
    return Math.ceil(this.count / 2);
  }

  /** When the order with this index was placed and paid. */
  atMs(index) {
    return Math.floor(this.startMs + index * this.stepMs);
  }

  /** The number of the buyer, as the service gives them: in the order of their first payments. */
  buyer(index) {
    const newest = index >> 1;
    if (this.isFirst(index)) return newest;
    return newest - ((Math.imul(index, 0x9e3779b1) >>> 8) % Math.min(newest + 1, RECENT_BUYERS));
  }

  isFirst(index) {
    return index % 2 === 0;
  }

  /** What a comparison says of a period, by adding up its orders one by one. */
  figures({ from, to }) {
    const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
    const buyers = new Set();
    let [orders, newBuyers] = [0, 0];
    for (let index = 0; index < this.count; index++) {
      const at = this.atMs(index);
      if (at < fromMs || at >= toMs) continue;
      orders += 1;
      if (this.isFirst(index)) newBuyers += 1;
      buyers.add(this.buyer(index));
    }
    const revenue = (orders * PRICE_MINOR) / 100;
    const counts = { orders, paidOrders: orders, itemsSold: orders, uniqueBuyers: buyers.size, newBuyers };
    return { ...counts, grossRevenue: revenue, netRevenue: revenue, refunds: 0 };
  }
}

const keyOf = (number) => `buyer${String(number).padStart(8, '0')}@example.com`;
const numberOf = (buyerKey) => Number(buyerKey.slice('buyer'.length, buyerKey.indexOf('@')));

const factsOf = (orders, index) => ({
  ...{ currency: CURRENCY, buyerKey: keyOf(orders.buyer(index)), itemCount: 1 },
  ...{ subtotalMinor: PRICE_MINOR, discountMinor: 0, totalMinor: PRICE_MINOR },
});
const stateOf = (orders, index) => {
  const at = new Date(orders.atMs(index));
  const payments = [{ provider: 'stripe', type: 'payment.succeeded', occurredAt: at }];
  return { createdAt: at, paidAt: at, isFirstPurchase: orders.isFirst(index), payments, reversals: [] };
};
const itemOf = (productId) => ({ productId, quantity: 1, totalMinor: PRICE_MINOR });

const id = (text) => (text === null ? null : new ObjectId(text));

/** The ids of a shop and of what it sells, as they are stored. */
export const idsOf = ({ shopId, serverId, productId }) => ({
  ...{ shopId: id(shopId), serverId: id(serverId), productId: id(productId) },
});

/**
 * What is stored of an order: itself, its entry of the ledger as a rebuild writes it, and the number of a new buyer. An order has only
 * the fields that statistics read.
 */
export function saleOf(orders, index, { shopId, serverId, productId }) {
  const [orderId, facts, state] = [new ObjectId(), factsOf(orders, index), stateOf(orders, index)];
  const sold = { shopId, serverId, ...facts, items: [itemOf(productId)] };
  const number = { _id: new ObjectId(), shopId, buyerKey: facts.buyerKey, number: orders.buyer(index) };
  return {
    order: { _id: orderId, ...sold, ...state, status: 'completed', accessTokenHash: 'none' },
    entry: { _id: new ObjectId(), orderId, ...sold, discountCode: null, events: eventsOf(state) },
    number: orders.isFirst(index) ? number : null,
  };
}

/** Computes the rollups of orders, in portions of documents. A rollup is complete when the orders have reached its end. */
export function* rollupsOf(orders, { shopId, serverId, productId }) {
  const cells = new Map();
  const take = (untilMs) => {
    const complete = [...cells].filter(([, { sizeMs, atMs }]) => atMs + sizeMs <= untilMs);
    for (const [name] of complete) cells.delete(name);
    return complete.map(([, { scope, sizeMs, atMs, sums, buyers }]) => ({
      ...{ shopId: id(shopId), currency: CURRENCY, serverId: id(scope.serverId), productId: id(scope.productId) },
      ...{ sizeMs, at: new Date(atMs), ...sums, buyers: buyers.packed() },
    }));
  };
  for (let first = 0; first < orders.count; first += PORTION) {
    const indexes = Array.from({ length: Math.min(PORTION, orders.count - first) }, (_, offset) => first + offset);
    const entries = indexes.map((index) => {
      const facts = { ...factsOf(orders, index), serverId, discountCode: null, items: [itemOf(productId)] };
      return { ...facts, events: eventsOf(stateOf(orders, index)) };
    });
    for (const { scope, sizeMs, atMs, sums, payments } of changesOf(entries)) {
      const name = [scope.serverId, scope.productId, sizeMs, atMs].join(' ');
      const cell = cells.get(name) ?? { scope, sizeMs, atMs, sums: {}, buyers: new NumberSet() };
      cells.set(name, cell);
      for (const [sum, by] of Object.entries(sums)) cell.sums[sum] = (cell.sums[sum] ?? 0) + by;
      for (const buyerKey of payments.keys()) cell.buyers.add(numberOf(buyerKey));
    }
    yield take(orders.atMs(first + indexes.length));
  }
  yield take(Infinity);
}
