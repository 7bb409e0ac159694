import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aKey, anOrder, aProduct, aServer, aShop, type TestOrder } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import {
  acknowledge,
  aDeliveringShop,
  aPaidOrder,
  requestLease,
  type DeliveringShop,
  endLeases,
  deliveryStatusOf,
  lease,
  listed,
  type Leased,
  reportPayment,
} from './delivery-actors.js';

let app: TestApp;
let shop: DeliveringShop;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  shop = await aDeliveringShop(app.api);
});
afterAll(() => app.close());

describe('POST /deliveries/{shopId}/lease', () => {
  it('accepts the names of 1,000 players, however long and in whichever script they are', async () => {
    const names = Array.from({ length: 999 }, (_, index) => `${index}`.padStart(32, '玩'));
    const order = await aPaidOrder(app.api, shop);
    const leased = await lease(app.api, shop, { players: [...names, 'Steve_42'] });
    expect(leased.map(({ orderId }) => orderId)).toEqual([order.id]);
  });

  it('returns the commands of a paid order to one plugin, with the attempt and the end of the lease, and to no other until then', async () => {
    expect(await lease(app.api, shop)).toEqual([]);
    const order = await aPaidOrder(app.api, shop);
    expect(await deliveryStatusOf(app.api, order)).toBe('queued');
    const before = Date.now();
    const data = expectSuccess<{ deliveries: Leased[] }>(await requestLease(app.api, shop), 'Deliveries leased');
    const [delivery] = data.deliveries;
    expect(data).toEqual({
      deliveries: [
        {
          deliveryId: expect.stringMatching(/^[0-9a-f]{24}$/),
          orderId: order.id,
          attempt: 1,
          run: 1,
          leaseUntil: expect.any(String),
          kind: 'purchase',
          nickname: 'Steve_42',
          rehearsal: false,
          requiresOnline: false,
          commands: ['give Steve_42 vip 1'],
          possiblyExecuted: false,
        },
      ],
      nextPollSeconds: 10,
    });
    const leaseMs = new Date(delivery?.leaseUntil ?? 0).getTime() - before;
    expect(leaseMs).toBeGreaterThanOrEqual(120_000);
    expect(await deliveryStatusOf(app.api, order)).toBe('leased');
    expect(await lease(app.api, shop)).toEqual([]);
  });

  it('returns no email address of a buyer to a plugin', async () => {
    const order = await aPaidOrder(app.api, shop);
    expect(JSON.stringify((await requestLease(app.api, shop)).body)).not.toContain(order.email);
  });

  it('returns no delivery of an order that is not paid or was refunded', async () => {
    const { productId, serverId, shopId } = shop;
    await anOrder(app.api, shopId, { productId, serverId });
    const order = await aPaidOrder(app.api, shop);
    await reportPayment(app.api, shop, order, 'refund.succeeded');
    expect(await lease(app.api, shop)).toEqual([]);
    expect(await deliveryStatusOf(app.api, order)).toBe('revoked');
  });

  it('returns each delivery only to the server of its order (complaint 3: the wrong proxy has the command)', async () => {
    const other = { ...shop, serverId: await aServer(app.api, shop) };
    const here = await aPaidOrder(app.api, shop);
    const there = await aPaidOrder(app.api, other);
    expect((await lease(app.api, shop)).map(({ orderId }) => orderId)).toEqual([here.id]);
    expect((await lease(app.api, other)).map(({ orderId }) => orderId)).toEqual([there.id]);
  });

  it('returns a delivery for any server to the first server that requests it', async () => {
    const other = { ...shop, serverId: await aServer(app.api, shop) };
    const order = await aPaidOrder(app.api, shop);
    await inDatabase(app, (db) =>
      db.collection('deliveries').updateMany({ orderId: idOf(order.id) }, { $set: { serverId: null } }),
    );
    expect((await lease(app.api, other)).map(({ orderId }) => orderId)).toEqual([order.id]);
    await endLeases(app, order);
    expect(await lease(app.api, shop)).toEqual([]);
    expect(await lease(app.api, other)).toHaveLength(1);
  });

  it('is over for buyers and staff after its end: the order waits for the game server, and nobody may rename or cancel it', async () => {
    const order = await aPaidOrder(app.api, shop);
    const other = { ...shop, serverId: await aServer(app.api, shop) };
    const running = await aPaidOrder(app.api, other);
    await lease(app.api, shop);
    await lease(app.api, other);
    await endLeases(app, order);
    expect([await deliveryStatusOf(app.api, order), await deliveryStatusOf(app.api, running)]).toEqual([
      'queued',
      'leased',
    ]);
    const staff = { token: shop.owner.token };
    const orders = expectSuccess<object[]>(await app.api.get(`/orders/${shop.shopId}`, staff));
    expect(orders).toMatchObject([
      { id: running.id, deliveryStatus: 'leased' },
      { id: order.id, deliveryStatus: 'queued' },
    ]);
    const details = await app.api.get(`/orders/${shop.shopId}/${order.id}`, staff);
    expect(expectSuccess(details)).toMatchObject({
      deliveryStatus: 'queued',
      deliveries: [{ state: 'queued', leaseUntil: null, attempts: [{ attempt: 1, result: null }] }],
    });
    const inState = async (state: string): Promise<unknown[]> =>
      (await listed(app.api, shop, `?state=${state}`)).map(({ orderId }) => orderId);
    expect([await inState('queued'), await inState('leased')]).toEqual([[order.id], [running.id]]);
    const call = [{ reason: 'A typing mistake' }, staff] as const;
    expectError(await app.api.post(`/orders/${shop.shopId}/${order.id}/cancel`, ...call), 409, /./);
    const renaming = { newNickname: 'Alex_42', reason: 'A typing mistake' };
    const path = `/orders/${shop.shopId}/${order.id}/nickname`;
    expectError(await app.api.post(path, renaming, staff), 400, /^The nickname can no longer be changed/);
    // Stored as before: only readers see it.
    expect(await lease(app.api, shop)).toMatchObject([{ orderId: order.id, attempt: 2, possiblyExecuted: true }]);
    expect(await deliveryStatusOf(app.api, order)).toBe('leased');
  });

  it('returns a delivery that requires the player online only while the plugin names this player, in upper or lower case (complaint 4)', async () => {
    const productId = await aProduct(app.api, shop, { requiresOnline: true });
    await aPaidOrder(app.api, { ...shop, productId }, { nickname: 'steve_42' });
    expect(await lease(app.api, shop)).toEqual([]);
    expect(await lease(app.api, shop, { players: ['Alex_42', 'Steve_4'] })).toEqual([]);
    const [delivery] = await lease(app.api, shop, { players: ['Alex_42', 'Steve_42'] });
    expect(delivery).toMatchObject({ requiresOnline: true, nickname: 'steve_42', attempt: 1 });
  });

  it('returns deliveries whatever the players of the game server call themselves', async () => {
    const productId = await aProduct(app.api, shop, { requiresOnline: true });
    await aPaidOrder(app.api, { ...shop, productId });
    const players = ['', 'x'.repeat(33), 'x'.repeat(500), '\u0000\u001B[31m', '\uD800', '😀'.repeat(60), 'Steve_42'];
    expect(await lease(app.api, shop, { players })).toHaveLength(1);
  });

  it('renders the new nickname after a change, and rejects the change once a plugin has leased the delivery (complaint 2)', async () => {
    const productId = await aProduct(app.api, shop, { requiresOnline: true });
    const order = await aPaidOrder(app.api, { ...shop, productId });
    const change = async (newNickname: string): Promise<Response> => {
      const codes = async (): Promise<string[]> =>
        (await app.mailbox.all())
          .filter((mail) => mail.includes(`To: ${order.email}`))
          .flatMap((mail) => /^\d{8}$/m.exec(mail)?.[0] ?? []);
      const before = await codes();
      expectSuccess(await app.api.post(`/orders/public/${order.id}/nickname/request`, {}));
      const verificationCode = await eventually(async () => (await codes()).find((code) => !before.includes(code)));
      return app.api.post(`/orders/public/${order.id}/nickname/change`, { verificationCode, newNickname });
    };
    expectSuccess(await change('Alex_42'));
    expect(await lease(app.api, shop, { players: ['Steve_42'] })).toEqual([]);
    const [delivery] = await lease(app.api, shop, { players: ['alex_42'] });
    expect(delivery?.commands).toEqual(['give Alex_42 vip 1']);
    const locked = 'The nickname can no longer be changed, because the delivery of the order has begun or ended';
    expectError(await change('Eve_42'), 400, locked);
  });

  it('returns no more than the limit, the longest waiting first, and requests the next poll soon', async () => {
    const orders: TestOrder[] = [];
    for (let count = 0; count < 3; count++) orders.push(await aPaidOrder(app.api, shop));
    const data = expectSuccess<{ deliveries: Leased[]; nextPollSeconds: number }>(
      await requestLease(app.api, shop, { limit: 2 }),
    );
    expect(data.deliveries.map(({ orderId }) => orderId)).toEqual(orders.slice(0, 2).map(({ id }) => id));
    expect(data.nextPollSeconds).toBe(1);
    expect(await lease(app.api, shop, { limit: 2 })).toHaveLength(1);
  });

  it('returns a delivery again after its lease, as the next attempt, and marks it as possibly executed', async () => {
    const order = await aPaidOrder(app.api, shop);
    const [first] = await lease(app.api, shop);
    await endLeases(app, order);
    expect(await lease(app.api, shop)).toEqual([
      { ...first, attempt: 2, possiblyExecuted: true, leaseUntil: expect.any(String) },
    ]);
  });

  it('marks a delivery as uncertain for staff when five leases ended without a report (complaint 26: stuck in the queue)', async () => {
    const productId = await aProduct(app.api, shop, { requiresOnline: true });
    const order = await aPaidOrder(app.api, { ...shop, productId });
    for (let attempt = 1; attempt <= 5; attempt++) {
      const leased = await lease(app.api, shop, { players: ['Steve_42'] });
      expect(leased.map((one) => one.attempt)).toEqual([attempt]);
      await endLeases(app, order);
    }
    // The player is offline, and the delivery ends anyway.
    expect(await lease(app.api, shop)).toEqual([]);
    expect(await deliveryStatusOf(app.api, order)).toBe('uncertain');
    const { key } = await aKey(app.api, shop, 'secret', ['deliveries:read']);
    const failed = expectSuccess<{ orderId: string; attempts: object[] }[]>(
      await app.api.get(`/deliveries/${shop.shopId}?state=uncertain`, { key }),
    );
    expect(failed.map(({ orderId, attempts }) => [orderId, attempts.length])).toEqual([[order.id, 5]]);
  });

  it('returns each delivery to one of many parallel plugin clients (complaint 1: commands run twice)', async () => {
    const items: string[] = [];
    for (let count = 0; count < 12; count++) items.push((await aPaidOrder(app.api, shop)).id);
    const responses = await Promise.all(Array.from({ length: 16 }, () => lease(app.api, shop, { limit: 3 })));
    const leased = responses.flat();
    expect(leased.map(({ orderId }) => orderId).sort()).toEqual(items.sort());
    expect(leased.every(({ attempt, possiblyExecuted }) => attempt === 1 && !possiblyExecuted)).toBe(true);
  });

  it.each([
    [{ serverId: undefined }, 'serverId is required, for example "655f1c2ab1e4a9d3f0c81260"'],
    [{ serverId: 'x' }, 'serverId must be an ObjectId of 24 hexadecimal digits'],
    [{ limit: 0 }, 'limit must be between 1 and 100'],
    [{ limit: 101 }, 'limit must be between 1 and 100'],
    [{ limit: '5' }, 'limit must be a whole number'],
    [{ players: 'Steve' }, 'players must be a list'],
    [{ players: [{ $gt: '' }] }, 'players must contain only strings'],
    [{ player: [] }, 'player'],
  ])('rejects %j', async (body, sentence) => {
    const response = await requestLease(app.api, shop, body);
    expect(response.status).toBe(400);
    expect((response.body as { error: string }).error).toContain(sentence);
  });

  it('rejects servers of other shops, other servers than those of the key, and keys without the permission', async () => {
    const elsewhere = await aServer(app.api, await aShop(app.api));
    expectError(await requestLease(app.api, shop, { serverId: elsewhere }), 404, 'There is no such server');
    const other = await aServer(app.api, shop);
    const restrictions = { serverIds: [shop.serverId], ipAllowlist: null };
    const { token } = shop.owner;
    expectSuccess(await app.api.put(`/api-keys/${shop.pluginKeyId}/restrictions`, restrictions, { token }));
    expectError(
      await requestLease(app.api, shop, { serverId: other }),
      403,
      'The API key is restricted to other game servers',
    );
    await aPaidOrder(app.api, shop);
    expect(await lease(app.api, shop)).toHaveLength(1);
    const { key } = await aKey(app.api, shop, 'plugin', ['deliveries:read']);
    const rejected = await app.api.post(`/deliveries/${shop.shopId}/lease`, { serverId: shop.serverId }, { key });
    expect(rejected.status).toBe(403);
  });
});

describe('An order of many units', () => {
  /** `bytes` of a command that runs once for each unit. */
  const aRepeatedProduct = (bytes: number): Promise<string> =>
    aProduct(app.api, shop, {
      commands: [`say ${'x'.repeat(bytes)}`],
      takeBackCommands: ['take {nickname} {quantity}'],
    });

  it('runs a command without {quantity} once for each unit, and cannot be placed with more than 100 commands for an item', async () => {
    const productId = await aRepeatedProduct(1);
    await aPaidOrder(app.api, shop, { items: [{ productId, quantity: 3 }] });
    expect((await lease(app.api, shop)).map(({ commands }) => commands)).toEqual([['say x', 'say x', 'say x']]);
    const tooMany = {
      ...{ items: [{ productId, quantity: 101 }], serverId: shop.serverId },
      ...{ nickname: 'Steve_42', email: 'steve@example.com' },
    };
    const message = /^The game server cannot run more than 100 commands for one item: order fewer of /;
    expectError(await app.api.post(`/checkout/${shop.shopId}/orders`, tooMany), 400, message);
    const { items, serverId } = tooMany;
    expect(expectSuccess(await app.api.post(`/checkout/${shop.shopId}/quote`, { items, serverId }))).toMatchObject({
      orderable: false,
      problems: [{ code: 'quantity_not_allowed', productId, message: expect.stringMatching(message) as unknown }],
    });
  });

  it('is leased in parts of at most 256 KB of commands', async () => {
    const productIds = await Promise.all(Array.from({ length: 6 }, () => aRepeatedProduct(480)));
    await aPaidOrder(app.api, shop, { items: productIds.map((productId) => ({ productId, quantity: 100 })) });
    const parts = [await lease(app.api, shop), await lease(app.api, shop)];
    expect(parts.map((part) => part.length)).toEqual([5, 1]);
  });
});

describe('The delivery status of an order', () => {
  /** A paid order with two deliveries. The second one is for a player who is online. */
  const aPaidOrderOfTwo = async (): Promise<TestOrder> => {
    const second = await aProduct(app.api, shop, { commands: ['say second'], requiresOnline: true });
    const items = [shop.productId, second].map((productId) => ({ productId, quantity: 1 }));
    return aPaidOrder(app.api, shop, { items });
  };

  it('becomes delivered when all deliveries of the order are delivered', async () => {
    const order = await aPaidOrderOfTwo();
    const [first] = await lease(app.api, shop);
    if (first !== undefined) await acknowledge(app.api, shop, first);
    expect(await deliveryStatusOf(app.api, order)).toBe('leased');
    const [last] = await lease(app.api, shop, { players: ['Steve_42'] });
    expect(last?.commands).toEqual(['say second']);
    if (last !== undefined) await acknowledge(app.api, shop, last);
    expect(await deliveryStatusOf(app.api, order)).toBe('delivered');
  });

  it('keeps a failed order failed during a dispute, and leases nothing of it until the shop wins (complaint 18)', async () => {
    const order = await aPaidOrderOfTwo();
    const [first] = await lease(app.api, shop);
    if (first !== undefined) await acknowledge(app.api, shop, first, 'failed');
    expect(await deliveryStatusOf(app.api, order)).toBe('failed');
    await reportPayment(app.api, shop, order, 'dispute.opened');
    expect(await lease(app.api, shop, { players: ['Steve_42'] })).toEqual([]);
    expect(await deliveryStatusOf(app.api, order)).toBe('failed');
    await reportPayment(app.api, shop, order, 'dispute.won');
    expect(await lease(app.api, shop, { players: ['Steve_42'] })).toHaveLength(1);
  });
});
