import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '../../src/platform/time/durations.js';
import { SALE_MODEL, type SaleRecord, saleSchema } from '../../src/analytics/stats/sale.schema.js';
import { SalesRepository, type SalesRow } from '../../src/analytics/stats/sales.repository.js';
import { type SalesQuestion } from '../../src/orders/ledger/sales.types.js';
import { OTHER_SHOP, SHOP } from '../support/contexts.js';
import { openTestStore, type TestStore } from '../support/store.js';
import { type SoldOrder, store as storeOrders } from './sold-orders.js';

const [SERVER, OTHER_SERVER] = ['655f1c2ab1e4a9d3f0c81260', '655f1c2ab1e4a9d3f0c81261'] as const;
const [VIP, RANK] = ['655f1c2ab1e4a9d3f0c81270', '655f1c2ab1e4a9d3f0c81271'] as const;
/** Hours after the start of the windows: the previous one is [0, 24), the current one [24, 48). */
const at = (hours: number): Date => new Date(Date.UTC(2026, 10, 20) + hours * HOUR_MS);
const QUESTION: SalesQuestion = {
  shopId: SHOP,
  currency: 'EUR',
  windows: { previous: { from: at(0), to: at(24) }, current: { from: at(24), to: at(48) } },
  parts: { current: [], previous: [] },
  slots: null,
};
const CURRENT = { at: null, current: true, previous: false };
const PREVIOUS = { at: null, current: false, previous: true };

let store: TestStore;
let sales: SalesRepository;

beforeAll(async () => {
  store = await openTestStore();
  const model = store.connection.model<SaleRecord>(SALE_MODEL, saleSchema);
  await model.createIndexes();
  sales = new SalesRepository(model);
});
beforeEach(() => store.connection.collection('orders').deleteMany({}));
afterAll(() => store.close());

const created = (question: SalesQuestion): Promise<SalesRow[]> =>
  store.commit((transaction) => sales.created(question, transaction));
const paid = (question: SalesQuestion): ReturnType<SalesRepository['paid']> =>
  store.commit((transaction) => sales.paid(question, transaction));
const reversed = (question: SalesQuestion): Promise<SalesRow[]> =>
  store.commit((transaction) => sales.reversed(question, transaction));

/** An order of one VIP for 10.00, created and paid in the current window. */
const orderWith = (fields: Partial<SoldOrder> = {}): SoldOrder => ({
  shopId: SHOP,
  serverId: SERVER,
  buyerKey: 'steve',
  items: [{ productId: VIP, quantity: 1, unitPriceMinor: 1_000 }],
  discountMinor: 0,
  currency: 'EUR',
  createdAt: at(30),
  paidAt: at(31),
  isFirstPurchase: false,
  reversals: [],
  ...fields,
});
const given = (...orders: SoldOrder[]): Promise<void> => storeOrders(store.connection.collection('orders'), orders);
const sorted = (rows: SalesRow[]): SalesRow[] =>
  rows.sort((one, two) => Number(one.at) - Number(two.at) || Number(one.current) - Number(two.current));
/** Orders that no query of the shop may count. */
const FOREIGN = [
  orderWith({ shopId: OTHER_SHOP, reversals: [{ kind: 'refund', amountMinor: 1, at: at(30) }] }),
  orderWith({ currency: 'USD', reversals: [{ kind: 'refund', amountMinor: 1, at: at(30) }] }),
];

describe('created', () => {
  it('counts the orders of the shop and currency in each window, and how many were paid', async () => {
    await given(
      orderWith(),
      orderWith({ paidAt: null }),
      orderWith({ createdAt: at(0), paidAt: at(100) }),
      orderWith({ createdAt: new Date(at(24).getTime() - 1) }),
      orderWith({ createdAt: at(24) }),
      orderWith({ createdAt: new Date(at(0).getTime() - 1) }),
      orderWith({ createdAt: at(48) }),
      ...FOREIGN,
    );
    expect(sorted(await created(QUESTION))).toEqual([
      { ...PREVIOUS, orders: 2, convertedOrders: 2 },
      { ...CURRENT, orders: 3, convertedOrders: 2 },
    ]);
  });

  it('counts an order of both windows once, in a row of both', async () => {
    await given(orderWith({ createdAt: at(12) }), orderWith({ createdAt: at(30) }));
    const windows = { previous: { from: at(0), to: at(24) }, current: { from: at(6), to: at(48) } };
    const rows = await created({ ...QUESTION, windows });
    expect(rows.sort((one, two) => Number(one.previous) - Number(two.previous))).toEqual([
      { ...CURRENT, orders: 1, convertedOrders: 1 },
      { ...CURRENT, previous: true, orders: 1, convertedOrders: 1 },
    ]);
  });

  it('splits the counts into slots that start at the given phase', async () => {
    await given(
      orderWith({ createdAt: at(30) }),
      orderWith({ createdAt: at(30.4) }),
      orderWith({ createdAt: at(30.5) }),
    );
    const slots = { sizeMs: HOUR_MS, phaseMs: HOUR_MS / 2 };
    expect(sorted(await created({ ...QUESTION, slots }))).toEqual([
      { ...CURRENT, at: at(29.5), orders: 2, convertedOrders: 2 },
      { ...CURRENT, at: at(30.5), orders: 1, convertedOrders: 1 },
    ]);
  });

  it('counts only orders of a server, or with a product', async () => {
    await given(
      orderWith(),
      orderWith({ serverId: OTHER_SERVER }),
      orderWith({ items: [{ productId: RANK, quantity: 1, unitPriceMinor: 500 }] }),
    );
    const ordersOf = async (fields: Partial<SalesQuestion>): Promise<number[]> =>
      (await created({ ...QUESTION, ...fields })).map(({ orders = 0 }) => orders);
    expect(await ordersOf({ serverId: SERVER })).toEqual([2]);
    expect(await ordersOf({ productId: VIP })).toEqual([2]);
    expect(await ordersOf({ serverId: OTHER_SERVER, productId: RANK })).toEqual([]);
  });
});

describe('paid', () => {
  it('sums what was paid in each window, and counts each buyer once', async () => {
    await given(
      orderWith({ discountMinor: 100, isFirstPurchase: true }),
      orderWith({ items: [{ productId: VIP, quantity: 3, unitPriceMinor: 500 }] }),
      orderWith({ buyerKey: 'alex', paidAt: at(0) }),
      orderWith({ paidAt: new Date(at(24).getTime() - 1) }),
      orderWith({ paidAt: null }),
      orderWith({ paidAt: at(48) }),
      ...FOREIGN,
    );
    const { rows, buyers } = await paid(QUESTION);
    expect(sorted(rows)).toEqual([
      { ...PREVIOUS, paidOrders: 2, grossMinor: 2_000, discountMinor: 0, itemsSold: 2, newBuyers: 0 },
      { ...CURRENT, paidOrders: 2, grossMinor: 2_400, discountMinor: 100, itemsSold: 4, newBuyers: 1 },
    ]);
    expect(buyers).toEqual({ current: 1, previous: 2 });
  });

  it('sums only the share of a product: its items, and its part of the discount, rounded half up', async () => {
    await given(
      orderWith({
        items: [
          { productId: VIP, quantity: 2, unitPriceMinor: 100 },
          { productId: RANK, quantity: 1, unitPriceMinor: 200 },
        ],
        discountMinor: 101,
      }),
      orderWith({ items: [{ productId: RANK, quantity: 1, unitPriceMinor: 200 }] }),
      orderWith({ items: [{ productId: VIP, quantity: 1, unitPriceMinor: 0 }], buyerKey: 'alex' }),
    );
    const { rows, buyers } = await paid({ ...QUESTION, productId: VIP });
    // 299 * 200 / 400 = 149.5
    expect(rows).toEqual([
      { ...CURRENT, paidOrders: 2, grossMinor: 150, discountMinor: 50, itemsSold: 3, newBuyers: 0 },
    ]);
    expect(buyers).toEqual({ current: 2, previous: 0 });
  });

  it('counts no buyers when nothing was paid', async () => {
    await given(...FOREIGN);
    expect(await paid(QUESTION)).toEqual({ rows: [], buyers: { current: 0, previous: 0 } });
  });
});

describe('reversed', () => {
  const refund = (amountMinor: number, when: Date) => ({ kind: 'refund', amountMinor, at: when }) as const;

  it('sums refunds and chargebacks in the window in which they happened', async () => {
    await given(
      orderWith({ reversals: [refund(300, at(1)), refund(200, at(40)), refund(1, at(48))] }),
      orderWith({ reversals: [{ kind: 'chargeback', amountMinor: 1_000, at: at(24) }] }),
      orderWith(),
      ...FOREIGN,
    );
    expect(sorted(await reversed(QUESTION))).toEqual([
      { ...PREVIOUS, refundsMinor: 300, chargebacksMinor: 0 },
      { ...CURRENT, refundsMinor: 200, chargebacksMinor: 1_000 },
    ]);
  });

  it('sums only the share of a product, of orders of a server, in slots', async () => {
    const items = [
      { productId: VIP, quantity: 1, unitPriceMinor: 300 },
      { productId: RANK, quantity: 1, unitPriceMinor: 100 },
    ];
    await given(
      orderWith({ items, reversals: [refund(400, at(30.2)), refund(2, at(31))] }),
      orderWith({ items, serverId: OTHER_SERVER, reversals: [refund(400, at(30))] }),
    );
    const slots = { sizeMs: HOUR_MS, phaseMs: 0 };
    const rows = await reversed({ ...QUESTION, productId: VIP, serverId: SERVER, slots });
    expect(sorted(rows)).toEqual([
      { ...CURRENT, at: at(30), refundsMinor: 300, chargebacksMinor: 0 },
      { ...CURRENT, at: at(31), refundsMinor: 2, chargebacksMinor: 0 },
    ]);
  });
});
