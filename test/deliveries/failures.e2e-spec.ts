import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aKey, aServer, type TestOrder } from '../support/actors.js';
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
  lease,
  type Leased,
  reportPayment,
} from './delivery-actors.js';

interface Failures {
  readonly groups: readonly { readonly key: string; readonly count: number; readonly reason: string | null }[];
  readonly counted: number;
  readonly isComplete: boolean;
}

interface Redelivered {
  readonly queued: number;
  readonly orders: number;
  readonly left: readonly { readonly deliveryId: string; readonly problem: string }[];
  readonly remaining: number;
}

let app: TestApp;
let shop: DeliveringShop;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  shop = await aDeliveringShop(app.api);
});
afterAll(() => app.close());

const failuresOf = async (query = '', key = ''): Promise<Failures> => {
  const credential = key === '' ? { token: shop.owner.token } : { key };
  return expectSuccess<Failures>(
    await app.api.get(`/deliveries/${shop.shopId}/failures${query}`, credential),
    'Failed deliveries grouped',
  );
};
const redeliverMany = (body: object): Promise<Response> =>
  app.api.post(
    `/deliveries/${shop.shopId}/redeliver`,
    { reason: 'LuckPerms is back', ...body },
    { token: shop.owner.token },
  );
const redelivered = async (body: object): Promise<Redelivered> =>
  expectSuccess<Redelivered>(await redeliverMany(body), 'Deliveries queued again');

/** Orders whose deliveries failed with these outputs. */
async function failing(outputs: readonly string[]): Promise<{ orders: TestOrder[]; deliveries: Leased[] }> {
  const orders: TestOrder[] = [];
  const deliveries: Leased[] = [];
  for (const output of outputs) {
    orders.push(await aPaidOrder(app.api, shop));
    const [leased] = await lease(app.api, shop);
    if (leased === undefined) throw new Error('nothing was leased');
    await acknowledge(app.api, shop, leased, 'failed', output);
    deliveries.push(leased);
  }
  return { orders, deliveries };
}

describe('GET /deliveries/{shopId}/failures', () => {
  it('groups failed deliveries by what the console printed, without nicknames and numbers', async () => {
    const { orders, deliveries } = await failing([
      'No slot 3 for Steve_42',
      'Unknown command: lp',
      'No slot 12 for Steve_42',
    ]);
    expect(await failuresOf()).toEqual({
      groups: [
        {
          key: expect.stringMatching(/^[\da-f]{24}$/),
          ...{ cause: 'printed', reason: 'No slot # for {nickname}', count: 2, serverIds: [shop.serverId] },
          ...{ firstAt: expect.any(String), lastAt: expect.any(String) },
          latest: { deliveryId: deliveries[2]?.deliveryId, orderId: orders[2]?.id },
        },
        expect.objectContaining({ reason: 'Unknown command: lp', count: 1 }),
      ],
      counted: 3,
      isComplete: true,
    });
    expect(await failuresOf(`?serverId=${'0'.repeat(24)}`)).toEqual({ groups: [], counted: 0, isComplete: true });
    expect((await failuresOf(`?serverId=${shop.serverId}`)).counted).toBe(3);
  });

  it('shows a key that is bound to another game server nothing of this one', async () => {
    await failing(['Unknown command: lp']);
    const { key, id } = await aKey(app.api, shop, 'secret', ['deliveries:read']);
    const bindTo = async (serverId: string): Promise<void> => {
      const body = { serverIds: [serverId], ipAllowlist: null };
      expectSuccess(await app.api.put(`/api-keys/${id}/restrictions`, body, { token: shop.owner.token }));
    };
    await bindTo(shop.serverId);
    expect((await failuresOf('', key)).counted).toBe(1);
    await bindTo(await aServer(app.api, shop));
    for (const query of ['', `?serverId=${shop.serverId}`]) expect((await failuresOf(query, key)).counted).toBe(0);
  });
});

describe('POST /deliveries/{shopId}/redeliver', () => {
  it('queues all that failed for one reason again, and nothing of it twice', async () => {
    const { orders } = await failing(['Unknown command: lp', 'Unknown command: lp', 'No slot 3']);
    const [group] = (await failuresOf()).groups;
    expect(group).toMatchObject({ reason: 'Unknown command: lp', count: 2 });
    const request = { failure: group?.key };
    expect(await redelivered(request)).toEqual({ queued: 2, orders: 2, left: [], remaining: 0 });
    const states = await Promise.all(orders.map((order) => deliveryStatusOf(app.api, order)));
    expect(states).toEqual(['queued', 'queued', 'failed']);
    expect(await redelivered(request)).toEqual({ queued: 0, orders: 0, left: [], remaining: 0 });
    expect(await lease(app.api, shop)).toHaveLength(2);
    const entries = expectSuccess(
      await app.api.get(`/shops/${shop.shopId}/audit?action=order.redelivered`, { token: shop.owner.token }),
    );
    expect(entries).toMatchObject(
      [orders[0], orders[1]].map((order) => ({
        subjectId: order?.id,
        changes: [
          { field: 'reason', before: null, after: 'LuckPerms is back' },
          { field: 'deliveries', before: null, after: '1' },
        ],
      })),
    );
  });

  it('says of each chosen delivery that it cannot queue again why, and queues the others', async () => {
    const { orders, deliveries } = await failing(['One', 'Two', 'Three']);
    await aPaidOrder(app.api, shop);
    const [delivered] = await lease(app.api, shop);
    if (delivered === undefined || orders[1] === undefined) throw new Error('nothing was leased');
    await acknowledge(app.api, shop, delivered);
    await reportPayment(app.api, shop, orders[1], 'refund.succeeded');
    const unknown = '0'.repeat(24);
    const ids = deliveries.map(({ deliveryId }) => deliveryId);
    expect(await redelivered({ deliveryIds: [...ids, delivered.deliveryId, unknown] })).toEqual({
      ...{ queued: 2, orders: 2, remaining: 0 },
      left: expect.arrayContaining([
        { deliveryId: unknown, problem: 'not_found' },
        { deliveryId: ids[1], problem: 'money_elsewhere' },
        { deliveryId: delivered.deliveryId, problem: 'not_failed' },
      ]),
    });
    // What was delivered is not leased again.
    expect((await lease(app.api, shop)).map(({ deliveryId }) => deliveryId).sort()).toEqual([ids[0], ids[2]].sort());
  });

  it('leaves what waits for a deleted game server', async () => {
    const { deliveries } = await failing(['One']);
    expectSuccess(await app.api.delete(`/servers/${shop.shopId}/${shop.serverId}`, { token: shop.owner.token }));
    const [first] = deliveries.map(({ deliveryId }) => deliveryId);
    expect((await redelivered({ deliveryIds: [first] })).left).toEqual([
      { deliveryId: first, problem: 'server_deleted' },
    ]);
  });

  it('queues at most 500 at a time, in several transactions, and says how many are left', async () => {
    const { orders } = await failing(['One']);
    const id = idOf(orders[0]?.id ?? '');
    await inDatabase(app, async (db) => {
      const [deliveries, attempts] = [db.collection('deliveries'), db.collection('delivery_attempts')];
      const [order, delivery] = [
        await db.collection('orders').findOne({ _id: id }),
        await deliveries.findOne({ orderId: id }),
      ];
      const attempt = await attempts.findOne({ deliveryId: delivery?._id });
      const ids = Array.from({ length: 519 }, (_, index) => idOf(index.toString(16).padStart(24, '0')));
      await db.collection('orders').insertMany(ids.map((_id, index) => ({ ...order, _id, number: 1_000_000 + index })));
      await deliveries.insertMany(ids.map((_id) => ({ ...delivery, _id, orderId: _id })));
      await attempts.insertMany(ids.map((_id) => ({ ...attempt, _id, deliveryId: _id })));
    });
    const [group] = (await failuresOf()).groups;
    expect(group?.count).toBe(520);
    const request = { failure: group?.key };
    // At the same time they take turns: each delivery is queued once.
    const both = await Promise.all([redelivered(request), redelivered(request)]);
    expect(both.map(({ queued }) => queued).sort()).toEqual([20, 500]);
    expect((await failuresOf()).counted).toBe(0);
  });

  it.each<[object, string]>([
    [{}, 'send either failure or deliveryIds'],
    [{ failure: 'a'.repeat(24), deliveryIds: ['a'.repeat(24)] }, 'send either failure or deliveryIds'],
    [{ deliveryIds: ['a'.repeat(24)], serverId: 'a'.repeat(24) }, 'serverId limits failure, not deliveryIds'],
    [{ failure: 'lp' }, 'failure must be an ObjectId of 24 hexadecimal digits'],
    [{ failure: 'a'.repeat(24), reason: '' }, 'reason must have 1 to 200 characters'],
  ])('rejects %j', async (body, sentence) => {
    expectError(await redeliverMany(body), 400, sentence);
  });
});
