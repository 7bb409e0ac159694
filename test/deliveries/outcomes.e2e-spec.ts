import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestOrder } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import {
  acknowledge,
  aDeliveringShop,
  aPaidOrder,
  type DeliveringShop,
  deliveryStatusOf,
  endLeases,
  kindsOf,
  lease,
  type Leased,
  reportPayment,
  requestLease,
  sendAck,
} from './delivery-actors.js';

let app: TestApp;
let shop: DeliveringShop;
let order: TestOrder;
let first: Leased;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  shop = await aDeliveringShop(app.api, { takeBackCommands: ['take {nickname}'] });
  order = await aPaidOrder(app.api, shop);
  first = await next();
});
afterAll(() => app.close());

async function next(body: object = {}): Promise<Leased> {
  const [delivery] = await lease(app.api, shop, body);
  if (delivery === undefined) throw new Error('there is nothing to lease');
  return delivery;
}

const report = (status: string, of = first): ReturnType<typeof acknowledge> => acknowledge(app.api, shop, of, status);
const status = (): Promise<string> => deliveryStatusOf(app.api, order);
const post = (path: string, body: object): ReturnType<typeof app.api.post> =>
  app.api.post(`/orders/${shop.shopId}/${order.id}/${path}`, body, { token: shop.owner.token });
const decide = (outcome: string): ReturnType<typeof app.api.post> =>
  post(`deliveries/${first.deliveryId}/decide`, { outcome, reason: 'Asked the player' });
const actionsOf = async (): Promise<string[]> => {
  const record = await inDatabase(app, (db) => db.collection('orders').findOne({ _id: idOf(order.id) }));
  return (record?.['history'] as { action: string }[]).map(({ action }) => action);
};
describe('An uncertain delivery', () => {
  beforeEach(async () => {
    expect(await report('uncertain')).toMatchObject({ status: 'uncertain', accepted: true });
  });

  it('shows in the order, is leased to nobody, and can be reported once more by its plugin', async () => {
    expect(await status()).toBe('uncertain');
    await endLeases(app, order);
    expect(await lease(app.api, shop)).toEqual([]);
    expect(await report('delivered')).toMatchObject({ status: 'delivered', accepted: true });
    expect(await report('failed')).toMatchObject({ status: 'delivered', accepted: false });
    expect(await status()).toBe('delivered');
  });

  it('is delivered when staff decide so, once, and its refund takes it back', async () => {
    expect(expectSuccess<{ deliveryStatus: string }>(await decide('delivered'), 'Delivery decided')).toMatchObject({
      deliveryStatus: 'delivered',
    });
    expect(await actionsOf()).toEqual(
      expect.arrayContaining(['goods_uncertain', 'delivery_decided_delivered', 'goods_delivered']),
    );
    expectError(await decide('failed'), 409, 'Only an uncertain delivery can be decided');
    await reportPayment(app.api, shop, order, 'refund.succeeded');
    expect(await next()).toMatchObject({ kind: 'take_back', run: 1 });
  });

  it('is not moved by a refund, and is revoked when the player has it', async () => {
    await reportPayment(app.api, shop, order, 'refund.succeeded');
    expect(await status()).toBe('uncertain');
    expectSuccess(await decide('delivered'));
    expect(await kindsOf(app.api, shop, order)).toEqual(['purchase delivered', 'take_back queued']);
  });

  it('runs again only when staff allow that it runs twice, as the next run', async () => {
    expectError(await post('redeliver', { reason: 'Lost' }), 409, /^Nobody knows whether the commands ran/);
    expectSuccess(await post('redeliver', { reason: 'Lost', mayRunTwice: true }));
    expect(await next()).toMatchObject({ deliveryId: first.deliveryId, attempt: 2, run: 2, possiblyExecuted: false });
  });

  it('fails when staff decide so, and is then queued again as any failure', async () => {
    expectSuccess(await decide('failed'));
    expect(await status()).toBe('failed');
    expectSuccess(await post('redeliver', { reason: 'Lost' }));
    expect(await next()).toMatchObject({ attempt: 2, run: 2 });
  });
});

describe('A released delivery', () => {
  it('waits as long as the plugin says, keeps its attempts, and was not possibly executed', async () => {
    const results = [{ deliveryId: first.deliveryId, attempt: 1, status: 'released', retrySeconds: 60 }];
    expectSuccess(await sendAck(app.api, shop, results));
    expect(await status()).toBe('queued');
    expect(await lease(app.api, shop)).toEqual([]);
    await endLeases(app, order);
    expect(await next()).toMatchObject({ attempt: 2, run: 1, possiblyExecuted: false });
    expect(await report('released')).toMatchObject({ status: 'leased', accepted: true });
    expect(await report('delivered')).toMatchObject({ accepted: false });
  });
});

describe('A delivery that was handed over', () => {
  it('counts as delivered: it has its time, its event and its revocation', async () => {
    expect(await report('handed_over')).toMatchObject({ status: 'handed_over', accepted: true });
    expect(await status()).toBe('handed_over');
    expect(await actionsOf()).toContain('goods_handed_over');
    await reportPayment(app.api, shop, order, 'refund.succeeded');
    const takeBack = await next();
    expect(takeBack).toMatchObject({ kind: 'take_back', commands: ['take Steve_42'] });
    expect(await report('handed_over', takeBack)).toMatchObject({ accepted: true });
    expect(await status()).toBe('revoked');
  });
});

describe('A delivery that a plugin leased and never began', () => {
  const late = async (): Promise<Leased> => {
    await endLeases(app, order);
    return next({ saysBegun: true });
  };

  it('comes back as if it was released, however often, and refuses what the late plugin says', async () => {
    const results = [{ deliveryId: first.deliveryId, attempt: 1, status: 'released', retrySeconds: 10 }];
    expectSuccess(await sendAck(app.api, shop, results));
    for (let attempt = 2; attempt < 9; attempt++) {
      expect(await late()).toMatchObject({ attempt, run: 1, possiblyExecuted: false });
    }
    expect(await report('begun', { ...first, attempt: 7 })).toMatchObject({ status: 'leased', accepted: false });
    expect(await report('delivered', { ...first, attempt: 7 })).toMatchObject({ accepted: false });
    expect(await report('begun', { ...first, attempt: 8 })).toMatchObject({ accepted: true });
    expect(await report('released', { ...first, attempt: 8 })).toMatchObject({ status: 'queued', accepted: true });
    expect(await late()).toMatchObject({ attempt: 9, possiblyExecuted: false });
  });
});

describe('A delivery that has begun', () => {
  it('has its lease renewed, and is uncertain instead of leased again when it ends without a report', async () => {
    const before = Date.now();
    const begun = { deliveryId: first.deliveryId, attempt: 1, status: 'begun', leaseSeconds: 600 };
    expect(expectSuccess(await sendAck(app.api, shop, [begun]))).toEqual({
      results: [{ deliveryId: first.deliveryId, attempt: 1, status: 'leased', accepted: true }],
    });
    const stored = await inDatabase(app, (db) => db.collection('deliveries').findOne({ orderId: idOf(order.id) }));
    expect((stored?.['dueAt'] as Date).getTime()).toBeGreaterThanOrEqual(before + 600_000);
    await endLeases(app, order);
    expect(await lease(app.api, shop)).toEqual([]);
    await expect(status()).resolves.toBe('uncertain');
    expect(await report('delivered')).toMatchObject({ status: 'delivered', accepted: true });
  });

  it('must not run when the money is in doubt since its lease', async () => {
    await reportPayment(app.api, shop, order, 'refund.succeeded');
    expect(await report('begun')).toMatchObject({ status: 'revoked', accepted: false });
  });
});

it('leases for as long as the plugin says', async () => {
  await aPaidOrder(app.api, shop);
  const before = Date.now();
  const { leaseUntil } = await next({ leaseSeconds: 30 });
  const seconds = (new Date(leaseUntil).getTime() - before) / 1000;
  expect(seconds).toBeGreaterThanOrEqual(30);
  expect(seconds).toBeLessThan(60);
  expectError(await requestLease(app.api, shop, { leaseSeconds: 29 }), 400, 'leaseSeconds must be between 30 and 600');
});
