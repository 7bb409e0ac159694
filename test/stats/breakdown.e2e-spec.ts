import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { HOUR_MS } from '../../src/lib/time/durations.js';
import { aSellingShop, payment, sendCustom, type SellingShop } from '../payments/senders.js';
import { aDiscount, aKey, anOrder, aProduct, aServer, aShop, type TestOrder } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { folded } from './folded.js';

const NOTHING = {
  ...{ name: null, grossRevenue: 0, refunds: 0, chargebacks: 0, netRevenue: 0 },
  ...{ paidOrders: 0, newBuyers: 0, discountTotal: 0, itemsSold: 0 },
};

describe('GET /stats/{shopId}/breakdown', () => {
  let app: TestApp;
  let shop: SellingShop;
  let key: string;
  let code: string;
  let vip: string;
  let crate: string;
  let serverId: string;

  const path = (query: string): string => `/stats/${shop.shopId}/breakdown?${query}`;
  const get = (query: string): Promise<Response> => app.api.get(path(query), { key });
  const rowsOf = async (query: string): Promise<unknown> =>
    expectSuccess<{ rows: unknown[] }>(await get(`period=7d&${query}`), 'Sales split').rows;
  const report = async (order: TestOrder, changes: object = {}): Promise<void> => {
    // Not in this quarter of an hour, of which there are no sums yet.
    const occurredAt = new Date(Date.now() - HOUR_MS).toISOString();
    expectSuccess(await sendCustom(app.api, shop.custom, payment(order, { occurredAt, ...changes })));
  };

  beforeAll(async () => {
    app = await startTestApp({ config: { sweepIntervalMs: 20 } });
    shop = await aSellingShop(app.api);
    key = (await aKey(app.api, shop)).key;
    serverId = await aServer(app.api, shop, { name: 'Survival' });
    vip = await aProduct(app.api, shop, { name: 'VIP', price: 10 });
    crate = await aProduct(app.api, shop, { name: 'Crate', price: 5 });
    ({ code } = await aDiscount(app.api, shop, { value: 10 }));
    const discounted = await anOrder(app.api, shop.shopId, { productId: vip, serverId, discountCode: code });
    const { email } = discounted;
    const plain = await anOrder(app.api, shop.shopId, { productId: crate, serverId, email });
    // Nobody pays this one.
    await anOrder(app.api, shop.shopId, { productId: vip, serverId });
    await report(discounted);
    await report(plain);
    await report(plain, { type: 'refund.succeeded', amount: 2 });
    expectSuccess(await app.api.delete(`/products/${shop.shopId}/${crate}`, { token: shop.owner.token }));
  });
  afterAll(() => app.close());

  const expectAll = async (): Promise<void> => {
    const [ofVip, ofCrate] = [
      { ...NOTHING, grossRevenue: 9, netRevenue: 9, paidOrders: 1, newBuyers: 1, discountTotal: 1, itemsSold: 1 },
      { ...NOTHING, grossRevenue: 5, refunds: 2, netRevenue: 3, paidOrders: 1, itemsSold: 1 },
    ];
    const both = { ...ofVip, grossRevenue: 14, refunds: 2, netRevenue: 12, paidOrders: 2, itemsSold: 2 };
    expect(await rowsOf('by=product')).toEqual([
      { ...ofVip, key: vip, name: 'VIP' },
      { ...ofCrate, key: crate, name: 'Crate' },
    ]);
    expect(await rowsOf('by=server')).toEqual([{ ...both, key: serverId, name: 'Survival' }]);
    expect(await rowsOf('by=paymentMethod')).toEqual([{ ...both, key: 'custom' }]);
    expect(await rowsOf('by=discount')).toEqual([{ ...ofVip, key: code }]);
  };

  it('splits paid sales by product (also one that is gone), server, payment method and code, before and after they are folded', async () => {
    await expectAll();
    await folded(app, shop.shopId);
    await expectAll();
  });

  it('splits each cent of an order once, also of a code and of refunds that products share', async () => {
    const own = await aSellingShop(app.api);
    const call = { token: own.owner.token };
    const [a, b] = [await aProduct(app.api, own, { price: 1 }), await aProduct(app.api, own, { price: 1 })];
    const { code: discountCode } = await aDiscount(app.api, own, { type: 'fixed', value: 0.01 });
    const items = [a, b].map((productId) => ({ productId, quantity: 1 }));
    for (let count = 0; count < 4; count++) {
      const { serverId: where } = own.orderRequest;
      const order = await anOrder(app.api, own.shopId, { productId: a, serverId: where, items, discountCode });
      expectSuccess(await sendCustom(app.api, own.custom, payment(order)));
      for (const refundId of count === 0 ? ['re_1', 're_2', 're_3'] : []) {
        const refund = { type: 'refund.succeeded', refundId, amount: 0.01 };
        expectSuccess(await sendCustom(app.api, own.custom, payment(order, refund)));
      }
    }
    const period = 'period=custom&from=2026-11-01&to=2026-12-01';
    const figures = async (query: string): Promise<unknown> => {
      const { rows } = expectSuccess<{ rows: Record<string, number>[] }>(
        await app.api.get(`/stats/${own.shopId}/breakdown?${period}&by=${query}`, call),
      );
      return rows.map(({ grossRevenue, discountTotal, refunds }) => [grossRevenue, discountTotal, refunds]);
    };
    const expectSplit = async (): Promise<void> => {
      expect(await figures('server')).toEqual([[7.96, 0.04, 0.03]]);
      expect(await figures('product')).toEqual([
        [4, 0, 0.02],
        [3.96, 0.04, 0.01],
      ]);
    };
    await expectSplit();
    await folded(app, own.shopId);
    await expectSplit();
  });

  it('returns as many rows as are requested, and how many there are', async () => {
    const response = await get('by=product&limit=1');
    expect(expectSuccess(response)).toMatchObject({ by: 'product', total: 2, rows: [{ key: vip }], complete: false });
  });

  it('returns nothing of another period or another shop', async () => {
    const past = expectSuccess(await get('by=product&period=custom&from=2020-01-01&to=2020-02-01'));
    expect(past).toMatchObject({ total: 0, rows: [], complete: true });
    const other = await aShop(app.api);
    const { token } = other.owner;
    expectSuccess(await app.api.post(`/stats/${other.shopId}/rebuild`, {}, { token }));
    await folded(app, other.shopId);
    const theirs = await app.api.get(`/stats/${other.shopId}/breakdown?by=server`, { token });
    expect(expectSuccess(theirs)).toMatchObject({ total: 0, rows: [] });
  });

  it.each([
    ['', 'by is required, for example "product"'],
    ['by=buyer', 'by must be one of product, server, paymentMethod, discount'],
    ['by=server&limit=101', 'limit must be between 1 and 100'],
    ['by=server&productId=655f1c2ab1e4a9d3f0c81270', 'productId is not a known field'],
    ['by=server&timezone=Mars/Olympus', 'timezone must be an IANA time zone such as Europe/Berlin'],
  ])('returns 400 for "%s"', async (query, problem) => {
    expectError(await get(query), 400, problem);
  });

  it('returns 403 without stats:read', async () => {
    const { key: other } = await aKey(app.api, shop, 'secret', ['orders:read']);
    expectError(await app.api.get(path('by=product'), { key: other }), 403, /permission/);
  });
});
