import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deserialize } from 'bson';
import { type Document, ObjectId } from 'mongodb';
import { type Response } from 'supertest';
import { MINUTE_MS } from '../../src/lib/time/durations.js';
import { payment, sendCustom, aSellingShop, type SellingShop } from '../payments/senders.js';
import { anOrder, aShop, type TestOrder, unique } from '../support/actors.js';
import { anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { examined, type ExplainedApp, insertMany, startExplainedApp } from '../support/explained-app.js';
import { type TestApp } from '../support/test-app.js';

const WIDGETS = { recent_purchases: 'recent-purchases', top_buyers: 'top-buyers', monthly_goal: 'goal' } as const;
const ALL = { widgets: Object.keys(WIDGETS), monthlyGoal: 100 };
const OFF = 'This widget is switched off; an owner of the shop can switch it on';

/** Long enough for the whole spec. */
const ROOM_MS = 2 * MINUTE_MS;
/** The month of the shop, from now on in some milliseconds. */
const monthIn = (ms: number): string =>
  new Date(Date.now() + ms).toLocaleDateString('en', { timeZone: 'Europe/Berlin', month: 'long' });

/** A paid order. */
interface Purchase {
  readonly nickname: string;
  readonly quantity: number;
  readonly order: TestOrder;
}

describe('The widgets of a shop', () => {
  let explained: ExplainedApp;
  let app: TestApp;
  let shop: SellingShop;
  let steve: Purchase;
  let alex: Purchase;
  /** When the latest event of a payment happened. No two happen at once. */
  let happened = 0;

  const get = (widget: string, headers: Record<string, string> = {}, shopId = shop.shopId): Promise<Response> =>
    app.api.get(`/widgets/public/${shopId}/${widget}`, { headers });
  const set = async (body: object, { shopId, owner }: { shopId: string; owner: { token: string } } = shop) => {
    expectSuccess(await app.api.patch(`/shops/${shopId}`, body, { token: owner.token }));
  };
  const purchases = async (query = ''): Promise<unknown> =>
    expectSuccess(await get(`recent-purchases${query}`), 'Recent purchases retrieved');
  const nicknames = async (): Promise<unknown> =>
    expectSuccess<{ nickname: string }[]>(await get('recent-purchases')).map(({ nickname }) => nickname);
  const top = async (query = ''): Promise<unknown> =>
    expectSuccess(await get(`top-buyers${query}`), 'Top buyers retrieved');
  /** Waits until the background job has folded the sales. */
  const topBecomes = (...names: string[]): Promise<unknown> => {
    const wanted = JSON.stringify(names.map((nickname, index) => ({ rank: index + 1, nickname })));
    return eventually(async () => JSON.stringify(await top()) === wanted);
  };
  const shown = ({ nickname, quantity }: Purchase): object => ({
    ...{ nickname, paidAt: anInstant, items: [{ name: 'VIP rank', quantity }] },
  });
  const report = async ({ order }: Purchase, type: string, amount: number): Promise<void> => {
    happened = Math.max(Date.now(), happened + 1);
    const event = { type, amount, occurredAt: new Date(happened).toISOString() };
    expectSuccess(await sendCustom(app.api, shop.custom, payment(order, event)));
  };
  const buy = async (nickname: string, quantity: number): Promise<Purchase> => {
    const items = [{ productId: shop.orderRequest.productId, quantity }];
    const order = await anOrder(app.api, shop.shopId, { ...shop.orderRequest, items, nickname });
    const purchase = { nickname, quantity, order };
    await report(purchase, 'payment.succeeded', order.total);
    return purchase;
  };

  beforeAll(async () => {
    explained = await startExplainedApp({ sweepIntervalMs: 20 });
    ({ app } = explained);
    shop = await aSellingShop(app.api);
    // The month must not end before the spec does.
    await eventually(() => Promise.resolve(monthIn(0) === monthIn(ROOM_MS)));
  });
  afterAll(() => explained.close());

  it('returns 404 until the owner switches a widget on, and for a shop that is closed or unknown', async () => {
    const expectOnly = async (on: readonly string[]): Promise<void> => {
      for (const [widget, path] of Object.entries(WIDGETS)) {
        const response = await get(path);
        if (on.includes(widget)) expectSuccess(response);
        else expectError(response, 404, OFF);
        expect(response.headers['x-error-code']).toBe(on.includes(widget) ? undefined : 'widget_off');
        expect(response.headers['cache-control']).toBe(on.includes(widget) ? 'public, max-age=60' : 'no-store');
      }
      const { widgets } = expectSuccess(await app.api.get(`/shops/public/${shop.uniqueName}`));
      expect(widgets).toEqual(on);
    };
    await expectOnly([]);
    for (const widget of Object.keys(WIDGETS)) {
      await set({ widgets: [widget], monthlyGoal: 100 });
      await expectOnly([widget]);
    }
    await set({ monthlyGoal: null });
    await expectOnly([]);
    await set(ALL);
    const { token } = shop.owner;
    expectSuccess(await app.api.delete(`/shops/${shop.shopId}`, { token }));
    for (const path of Object.values(WIDGETS)) {
      expectError(await get(path), 404, 'There is no such shop');
      expectError(await get(path, {}, '0'.repeat(24)), 404, 'There is no such shop');
      expectError(await get(path, {}, 'sky-realm'), 400, /^An identifier/);
    }
    expectSuccess(await app.api.call('post', `/shops/${shop.shopId}/reactivate`, { token }));
    await expectOnly(ALL.widgets);
  });

  it('rejects unknown limits and periods', async () => {
    for (const limit of ['0', '21', '1e1', 'x'])
      expect((await get(`recent-purchases?limit=${limit}`)).status).toBe(400);
    expect((await get('top-buyers?limit=21')).status).toBe(400);
    expectError(await get('top-buyers?period=year'), 400, 'period must be one of month, all');
  });

  it('returns the purchases that the shop keeps, newest first, with the nicknames of today and without banned buyers', async () => {
    expect(await purchases()).toEqual([]);
    steve = await buy('Steve_42', 3);
    alex = await buy('Alex_42', 2);
    const robin = await buy('Robin_42', 1);
    await anOrder(app.api, shop.shopId, { ...shop.orderRequest, nickname: 'Unpaid_1' });
    expect(await purchases()).toEqual([robin, alex, steve].map(shown));
    expect(await purchases('?limit=1')).toEqual([shown(robin)]);
    await report(robin, 'refund.succeeded', robin.order.total);
    expect(await nicknames()).toEqual(['Alex_42', 'Steve_42']);
    const { token } = shop.owner;
    const correction = { newNickname: 'Steve_43', reason: 'Mistyped' };
    expectSuccess(await app.api.post(`/orders/${shop.shopId}/${steve.order.id}/nickname`, correction, { token }));
    steve = { ...steve, nickname: correction.newNickname };
    const ban = { email: alex.order.email, reason: 'Griefing' };
    const { id } = expectSuccess<{ id: string }>(await app.api.post(`/bans/${shop.shopId}`, ban, { token }));
    expect(await nicknames()).toEqual(['Steve_43']);
    await topBecomes('Steve_43');
    expectSuccess(await app.api.delete(`/bans/${shop.shopId}/${id}`, { token }));
    expect(await nicknames()).toEqual(['Alex_42', 'Steve_43']);
  });

  it('ranks buyers by what they paid minus what they got back, without the amounts', async () => {
    await topBecomes('Steve_43', 'Alex_42');
    await report(steve, 'refund.succeeded', 39.98);
    await topBecomes('Alex_42', 'Steve_43');
    expect(await top('?period=all')).toEqual(await top());
    expect(await top('?period=all&limit=1')).toEqual([{ rank: 1, nickname: 'Alex_42' }]);
  });

  it('returns how much of the goal is reached, as the comparison of the month, at once after a payment', async () => {
    const compared = await app.api.get(`/stats/${shop.shopId}/comparison?period=month`, { token: shop.owner.token });
    const { period, metrics } = expectSuccess<{ period: object; metrics: { netRevenue: { current: number } } }>(
      compared,
    );
    expect(metrics.netRevenue.current).toBe(59.97);
    const goal = { target: 100, reached: 59.97, percent: 59, currency: 'EUR', ...period };
    expect(expectSuccess(await get('goal'), 'Monthly goal retrieved')).toEqual(goal);
    await buy('Robin_42', 3);
    expect(expectSuccess(await get('goal'))).toEqual({ ...goal, reached: 119.94, percent: 119 });
  });

  it('allows every origin and caching for a minute, returns 304 for a matching ETag, and limits requests by address', async () => {
    await topBecomes('Robin_42', 'Alex_42', 'Steve_43');
    for (const path of Object.values(WIDGETS)) {
      const { headers } = await get(path, { origin: 'https://example.com' });
      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        'cache-control': 'public, max-age=60',
        etag: expect.stringMatching(/^W\/"[\w-]{22}"$/),
        'ratelimit-policy': expect.stringMatching(/^"widgets";/),
      });
      const again = await get(path, { 'if-none-match': String(headers['etag']) });
      expect({ status: again.status, text: again.text }).toEqual({ status: 304, text: '' });
    }
  });

  it('returns nothing of another shop', async () => {
    const other = await aShop(app.api, ALL);
    expect(expectSuccess(await get('recent-purchases', {}, other.shopId))).toEqual([]);
    expect(expectSuccess(await get('top-buyers?period=all', {}, other.shopId))).toEqual([]);
    expect(expectSuccess(await get('goal', {}, other.shopId))).toMatchObject({ reached: 0, percent: 0 });
  });

  it('reads no more orders in a shop, or of a buyer, with many orders, also when most were refunded', async () => {
    const { database } = explained;
    const orders = database.collection('orders');
    const { _id, ...record } = (await orders.findOne({ _id: new ObjectId(alex.order.id) })) as Document;
    await insertMany(orders, 400, (n) => ({
      ...{
        ...record,
        paymentStatus: 'refunded',
        slots: [],
        accessTokenHash: `hash ${n} ${unique()}`,
        number: 10_000 + n,
      },
      paidAt: new Date(happened + 1 + n),
    }));
    const readFor = async (path: string): Promise<number[]> => {
      await app.commandBodies();
      expectSuccess(await get(path));
      const finds = (await app.commandBodies())
        .map((body) => deserialize(body))
        .filter((command) => command['find'] === 'orders' && 'paidAt' in ((command['sort'] ?? {}) as object));
      const looks = finds.map(({ find, filter, sort, limit }) => examined(database, { find, filter, sort, limit }));
      return Promise.all(looks);
    };
    expect(await readFor('recent-purchases')).toEqual([50]);
    expect(await purchases()).toEqual([]);
    expect(await readFor('top-buyers')).toEqual([1, 1, 1]);
  });
});
