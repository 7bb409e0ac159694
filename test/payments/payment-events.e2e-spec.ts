import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aKey, aShop, type TestOrder } from '../support/actors.js';
import { anId, anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { stateOf } from './paid-orders.js';
import { aSellingShop, payment, type SellingShop, sendCustom, sendRaw } from './senders.js';

interface Event {
  readonly id: string;
  readonly eventId: string;
  readonly state: string;
  readonly attempts: number;
}

let app: TestApp;
let shop: SellingShop;
let order: TestOrder;

const path = (rest = ''): string => `/payments/${shop.shopId}/events${rest}`;
const list = async (query = ''): Promise<Event[]> =>
  expectSuccess<Event[]>(await app.api.get(path(query), { token: shop.owner.token }), 'Payment events retrieved');
const replay = (id: string): Promise<Response> => app.api.post(path(`/${id}/replay`), {}, { token: shop.owner.token });

beforeAll(async () => {
  app = await startTestApp();
  shop = await aSellingShop(app.api);
  order = await shop.anOrder();
});
afterAll(() => app.close());

describe('GET /payments/{shopId}/events', () => {
  it('lists the events with their outcome, newest first, page by page', async () => {
    const unknown = { ...order, id: '0'.repeat(24) };
    expectSuccess(await sendCustom(app.api, shop.custom, payment(order), { eventId: 'msg_paid' }));
    expectSuccess(await sendCustom(app.api, shop.custom, { type: 'customer.created' }, { eventId: 'msg_other' }));
    expectSuccess(await sendCustom(app.api, shop.custom, payment(unknown), { eventId: 'msg_unknown' }));
    const events = await list();
    expect(events.map(({ eventId, state }) => [eventId, state])).toEqual([
      ['msg_unknown', 'failed'],
      ['msg_other', 'ignored'],
      ['msg_paid', 'processed'],
    ]);
    expect(events[2]).toEqual({
      ...{ id: anId, provider: 'custom', eventId: 'msg_paid', kind: 'payment.succeeded', state: 'processed' },
      ...{ failure: null, problem: null, attempts: 1, orderId: order.id },
      payment: {
        ...{ type: 'payment.succeeded', paymentId: expect.any(String), amount: 19.99, currency: 'EUR' },
        disputeId: null,
        occurredAt: anInstant,
      },
      ...{ receivedAt: anInstant, settledAt: anInstant },
    });
    expect(events[0]).toMatchObject({ failure: 'order_not_found', orderId: unknown.id, attempts: 1 });
    expect(events[1]).toMatchObject({ payment: null, orderId: null });
    const first = await app.api.get(path('?limit=2'), { token: shop.owner.token });
    const [, next = ''] = /<\/api\/v2([^>]+)>; rel="next"/.exec(first.headers['link'] ?? '') ?? [];
    expect(expectSuccess(await app.api.get(next, { token: shop.owner.token }))).toEqual(events.slice(2));
  });

  it('filters by state and by order', async () => {
    expect((await list('?state=failed')).map(({ eventId }) => eventId)).toEqual(['msg_unknown']);
    expect((await list(`?orderId=${order.id}`)).map(({ eventId }) => eventId)).toEqual(['msg_paid']);
    expect(await list(`?orderId=${order.id}&state=failed`)).toEqual([]);
    expectError(await app.api.get(path('?state=lost'), { token: shop.owner.token }), 400, /^state must be one of /);
  });

  it('counts rejected requests with the right path secret, in one event per minute, with the reason', async () => {
    const body = JSON.stringify(payment(order));
    for (let times = 0; times < 5; times++) expect((await sendRaw(app.api, shop.custom.path, body)).status).toBe(400);
    const wrong = shop.custom.path.replace(shop.custom.secret, 'A'.repeat(43));
    expect((await sendRaw(app.api, wrong, body)).status).toBe(404);
    const rejected = await list('?state=rejected');
    // The five can be on both sides of a full minute.
    expect([1, 2]).toContain(rejected.length);
    const counts = rejected.map(({ attempts }) => attempts);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(5);
    expect(rejected[0]).toMatchObject({
      ...{ provider: 'custom', kind: 'rejected', failure: 'webhook_rejected', payment: null, orderId: null },
      problem: 'The webhook request was rejected: it has no header webhook-signature',
    });
  });

  it('hides the events of other shops, and returns 403 to a key without the permission', async () => {
    const other = await aShop(app.api);
    const { key } = await aKey(app.api, other);
    expect(expectSuccess(await app.api.get(`/payments/${other.shopId}/events`, { key }))).toEqual([]);
    const plugin = await aKey(app.api, shop, 'plugin');
    const missing = 'The credential lacks the permission payments:read';
    expectError(await app.api.get(path(), { key: plugin.key }), 403, missing);
  });
});

describe('POST /payments/{shopId}/events/{eventId}/replay', () => {
  it('keeps a payment of an unknown order failed, and an applied event unchanged', async () => {
    const before = await stateOf(app.api, order);
    const [unknown] = await list('?state=failed');
    const replayed = expectSuccess<Event>(await replay(unknown?.id ?? ''), 'Payment event replayed');
    expect(replayed).toMatchObject({ id: unknown?.id, state: 'failed', attempts: 2 });
    const [paid] = await list('?state=processed');
    expect(expectSuccess(await replay(paid?.id ?? ''))).toEqual(paid);
    expect(await stateOf(app.api, order)).toEqual(before);
  });

  it('returns 404 for an event of another shop', async () => {
    const other = await aShop(app.api);
    const [event] = await list();
    const foreign = `/payments/${other.shopId}/events/${event?.id ?? ''}/replay`;
    expectError(await app.api.post(foreign, {}, { token: other.owner.token }), 404, 'There is no such payment event');
  });
});
