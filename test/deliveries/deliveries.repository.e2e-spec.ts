import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Model } from 'mongoose';
import { decodeCursor, type Page } from '../../src/lib/paging/page.js';
import { MINUTE_MS } from '../../src/lib/time/durations.js';
import { newObjectId } from '../../src/lib/ids/object-id.js';
import { type Transaction } from '../../src/infrastructure/database/transactions.js';
import { DeliveriesRepository } from '../../src/delivery/deliveries/deliveries.repository.js';
import { DELIVERY_MODEL, type DeliveryRecord, deliverySchema } from '../../src/delivery/deliveries/delivery.schema.js';
import {
  type Delivery,
  DELIVERY_STATES,
  type DeliveryFilter,
  type DeliveryState,
} from '../../src/delivery/deliveries/delivery.types.js';
import { aDeliveryRecord } from '../support/delivery-records.js';
import { idOf } from '../support/records.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';

const NOW = new Date('2026-11-22T12:00:00.000Z');
const UNTIL = new Date(NOW.getTime() + 2 * MINUTE_MS);
const LATER = new Date(NOW.getTime() + 1);
const [SERVER, OTHER_SERVER] = [newObjectId(), newObjectId()];

let store: TestStore;
let records: Model<DeliveryRecord>;
let deliveries: DeliveriesRepository;
let shopId: string;

/** A delivery of the shop that is due at `NOW`. Returns its id. */
async function add(fields: Partial<DeliveryRecord> = {}): Promise<string> {
  const { _id } = await records.create(aDeliveryRecord({ shopId: idOf(shopId), dueAt: NOW, ...fields }));
  return _id.toHexString();
}
const forServer = (serverId: string, fields: Partial<DeliveryRecord> = {}): Promise<string> =>
  add({ serverId: idOf(serverId), ...fields });
const stored = (id: string): Promise<DeliveryRecord | null> => records.findById(id).lean();
const stateOf = async (id: string): Promise<DeliveryState | undefined> => (await stored(id))?.state;
const idsOf = (found: readonly Delivery[]): string[] => found.map(({ id }) => id);
const find = (ids: readonly string[], shop = shopId): Promise<Delivery[]> =>
  store.commit((transaction) => deliveries.findByIds(shop, ids, transaction));
async function read(id: string): Promise<Delivery> {
  const [delivery] = await find([id]);
  if (delivery === undefined) throw new Error('There is no such delivery');
  return delivery;
}

beforeAll(async () => {
  store = await openTestStore();
  records = await openModel<DeliveryRecord>(store.connection, DELIVERY_MODEL, deliverySchema);
  deliveries = new DeliveriesRepository(records);
});
beforeEach(async () => {
  shopId = newObjectId();
  // A delivery of another shop, which nothing finds or changes.
  await records.deleteMany({});
  await records.create(aDeliveryRecord());
});
afterAll(() => store.close());

describe('The list of deliveries', () => {
  const list = (filter: DeliveryFilter = {}, only: string[] | null = null): Promise<Page<Delivery>> =>
    deliveries.list(shopId, only && new Set(only), filter, { after: null, limit: 10 }, NOW);
  const listed = async (...options: Parameters<typeof list>): Promise<string[]> =>
    idsOf((await list(...options)).items);

  it('lists the deliveries of the shop, the newest first, in pages', async () => {
    const ids = [await add({ dueAt: LATER }), await add(), await add()].reverse();
    const first = await deliveries.list(shopId, null, {}, { after: null, limit: 2 }, NOW);
    expect(idsOf(first.items)).toEqual(ids.slice(0, 2));
    const after = decodeCursor(first.nextCursor ?? '');
    expect(after).toBe(ids[1]);
    const second = await deliveries.list(shopId, null, {}, { after, limit: 2 }, NOW);
    expect([idsOf(second.items), second.nextCursor]).toEqual([ids.slice(2), null]);
    expect(second.items[0]).toMatchObject({ shopId, serverId: null, state: 'queued', dueAt: LATER });
  });

  it('lists what matches the filter', async () => {
    const own = await forServer(SERVER);
    const leased = await forServer(OTHER_SERVER, { state: 'leased', dueAt: LATER });
    const orderId = newObjectId();
    const ofOrder = await add({ orderId: idOf(orderId), state: 'leased', dueAt: LATER });
    expect(await listed()).toEqual([ofOrder, leased, own]);
    expect(await listed({ serverId: SERVER })).toEqual([own]);
    expect(await listed({ state: 'leased' })).toEqual([ofOrder, leased]);
    expect(await listed({ orderId })).toEqual([ofOrder]);
    expect(await listed({ serverId: OTHER_SERVER, state: 'leased' })).toEqual([leased]);
    expect(await listed({ serverId: SERVER, state: 'leased' })).toEqual([]);
  });

  it('lists what is leased and what waits as its readers see it: a lease that is over waits, in pages across both', async () => {
    const running = await add({ state: 'leased', dueAt: LATER });
    const [oldest, over, newest] = [await add(), await add({ state: 'leased' }), await add()];
    await add({ state: 'delivered' });
    expect(await listed({ state: 'leased' })).toEqual([running]);
    const first = await deliveries.list(shopId, null, { state: 'queued' }, { after: null, limit: 2 }, NOW);
    expect(idsOf(first.items)).toEqual([newest, over]);
    const after = decodeCursor(first.nextCursor ?? '');
    const second = await deliveries.list(shopId, null, { state: 'queued' }, { after, limit: 2 }, NOW);
    expect([idsOf(second.items), second.nextCursor]).toEqual([[oldest], null]);
  });

  it('lists for a caller with some game servers what is for them or for any server, whatever the filter says', async () => {
    const own = await forServer(SERVER);
    const other = await forServer(OTHER_SERVER);
    const any = await add();
    expect(await listed({}, [SERVER])).toEqual([any, own]);
    expect(await listed({}, [SERVER, OTHER_SERVER])).toEqual([any, other, own]);
    expect(await listed({}, [])).toEqual([any]);
    expect(await listed({ serverId: OTHER_SERVER }, [SERVER])).toEqual([]);
    expect(await listed({ serverId: SERVER }, [SERVER])).toEqual([own]);
  });
});

describe('A lease of deliveries', () => {
  const due = async (playerKeys: readonly string[] = [], limit = 10): Promise<string[]> => {
    const request = { serverId: SERVER, playerKeys, now: NOW, limit };
    const found = await store.commit((transaction) => deliveries.findDue(shopId, request, transaction));
    expect(await deliveries.hasDue(shopId, request)).toBe(found.length > 0);
    expect(await deliveries.hasDue(newObjectId(), request)).toBe(false);
    return idsOf(found);
  };
  const LEASE = { serverId: SERVER, now: NOW, leaseUntil: UNTIL, saysBegun: false };
  const lease = (ids: readonly string[], shop = shopId): Promise<number> =>
    store.commit((transaction) => deliveries.lease(shop, ids, LEASE, transaction));

  it('finds expired leases of the server, then what is for the server, then what is for any, each in turn', async () => {
    const any = await add({ dueAt: new Date(0) });
    const own = await forServer(SERVER);
    const earlier = await forServer(SERVER, { dueAt: new Date(1) });
    const expired = await forServer(SERVER, { state: 'leased' });
    await forServer(OTHER_SERVER);
    await forServer(OTHER_SERVER, { state: 'leased', dueAt: LATER });
    expect(await due()).toEqual([expired, earlier, own, any]);
    expect(await due([], 3)).toEqual([expired, earlier, own]);
    expect(await due([], 2)).toEqual([expired, earlier]);
    expect(await due([], 1)).toEqual([expired]);
  });

  it.each<[string, object]>([
    ['an expired lease of the server', { serverId: SERVER, state: 'leased' }],
    ['what is for the server', { serverId: SERVER }],
    ['what is for any server', {}],
    ['what waits for a player who is named', { waitsFor: 'steve' }],
  ])('finds %s when there is nothing else', async (_what, fields) => {
    const id = await add(fields);
    expect(await due(['alex', 'steve'])).toEqual([id]);
  });

  it('finds nothing that is not due, or is not to be run', async () => {
    await add({ dueAt: LATER });
    await forServer(SERVER, { state: 'leased', dueAt: LATER });
    for (const state of ['held', 'delivered', 'failed', 'revoked'] as const) {
      await forServer(SERVER, { state });
      await add({ state });
    }
    expect(await due()).toEqual([]);
  });

  it('finds what waits for a player only when that player is named, after what waits for nobody', async () => {
    const steve = await forServer(SERVER, { waitsFor: 'steve', dueAt: new Date(0) });
    const nobody = await forServer(SERVER);
    const alex = await forServer(SERVER, { waitsFor: 'alex' });
    expect(await due()).toEqual([nobody]);
    expect(await due(['steve'])).toEqual([nobody, steve]);
    expect(await due(['steve', 'alex'])).toEqual([nobody, alex, steve]);
  });

  it('leases deliveries to the server until the end of the lease, and uses up one attempt of each', async () => {
    const ids = [await add(), await forServer(SERVER, { state: 'leased', attempt: 2, attemptsLeft: 3 })];
    const other = await add();
    expect(await lease(ids, newObjectId())).toBe(0);
    expect(await lease(ids)).toBe(2);
    const leased = { state: 'leased', serverId: SERVER, dueAt: UNTIL };
    expect(await read(ids[0] ?? '')).toMatchObject({ ...leased, attempt: 1, attemptsLeft: 4 });
    expect(await read(ids[1] ?? '')).toMatchObject({ ...leased, attempt: 3, attemptsLeft: 2 });
    expect(await read(other)).toMatchObject({ state: 'queued', serverId: null, dueAt: NOW, attempt: 0 });
    expect(await lease(ids)).toBe(0);
  });

  it.each(DELIVERY_STATES)('leases what is %s only when it may run and is due', async (state) => {
    const [now, later] = [await add({ state }), await add({ state, dueAt: LATER })];
    const before = await stored(later);
    expect(await lease([now, later])).toBe(state === 'queued' || state === 'leased' ? 1 : 0);
    expect(await stored(later)).toEqual(before);
  });

  it('clears the player that a delivery waits for at the last attempt, so that the next lease can mark it as failed', async () => {
    const last = await add({ waitsFor: 'steve', attemptsLeft: 1 });
    const more = await add({ waitsFor: 'steve', attemptsLeft: 2 });
    const spent = await add({ waitsFor: 'steve', attemptsLeft: 0 });
    await lease([last, more]);
    const waiting = [await stored(last), await stored(more), await stored(spent)].map((one) => one?.waitsFor);
    expect(waiting).toEqual([null, 'steve', 'steve']);
  });

  it('gives each delivery to one of many parallel leases', async () => {
    const id = await add();
    const counts = await Promise.all(Array.from({ length: 6 }, () => lease([id])));
    expect(counts.sort()).toEqual([0, 0, 0, 0, 0, 1]);
    expect(await read(id)).toMatchObject({ attempt: 1, attemptsLeft: 4 });
  });
});

describe('The end of a delivery', () => {
  const report = { state: 'delivered', acknowledgedAttempt: 2, deliveredAt: NOW, deliveredTo: 'Alex_42' } as const;
  const acknowledge = (before: Delivery): Promise<void> =>
    store.commit((transaction) => deliveries.acknowledge(before, report, transaction));

  it.each<[DeliveryState, DeliveryState]>([
    ['queued', 'failed'],
    ['held', 'held'],
    ['leased', 'failed'],
    ['delivered', 'delivered'],
    ['uncertain', 'uncertain'],
    ['failed', 'failed'],
    ['revoked', 'revoked'],
  ])('fails a delivery that is %s: it becomes %s', async (state, after) => {
    const [id, other] = [await add({ state }), await add({ state })];
    const fail = (shop: string): Promise<void> =>
      store.commit((transaction) => deliveries.end(shop, [id], 'failed', transaction));
    await fail(newObjectId());
    expect(await stateOf(id)).toBe(state);
    await fail(shopId);
    expect([await stateOf(id), await stateOf(other)]).toEqual([after, state]);
  });

  it('stores what a plugin reports about one delivery', async () => {
    const [other, id] = [await add({ state: 'leased', attempt: 2 }), await add({ state: 'leased', attempt: 2 })];
    const before = await read(id);
    await acknowledge(before);
    expect(await read(id)).toEqual({ ...before, ...report });
    expect(await stateOf(other)).toBe('leased');
  });

  it.each<[string, Partial<Delivery>]>([
    ['belongs to another shop', { shopId: newObjectId() }],
    ['was in another state', { state: 'queued' }],
    ['was leased again since', { attempt: 1 }],
  ])('rejects the report of a delivery that %s', async (_, fields) => {
    const id = await add({ state: 'leased', attempt: 2 });
    const before = await read(id);
    await acknowledge({ ...before, ...fields });
    expect(await read(id)).toEqual(before);
  });

  it('finds these deliveries of the shop, and no others', async () => {
    const ids = [await add(), await add()];
    await add();
    expect(idsOf(await find(ids)).sort()).toEqual(ids.sort());
    expect(await find(ids, newObjectId())).toEqual([]);
  });
});

describe('A transaction that is rolled back', () => {
  const LEASE = { serverId: SERVER, now: NOW, leaseUntil: UNTIL, saysBegun: false };
  it.each<[string, (before: Delivery, transaction: Transaction) => Promise<unknown>]>([
    ['lease', ({ id }, transaction) => deliveries.lease(shopId, [id], LEASE, transaction)],
    ['fail', ({ id }, transaction) => deliveries.end(shopId, [id], 'failed', transaction)],
    [
      'acknowledge',
      (before, transaction) =>
        deliveries.acknowledge(
          before,
          { state: 'failed', acknowledgedAttempt: 1, deliveredAt: null, deliveredTo: null },
          transaction,
        ),
    ],
  ])('keeps nothing of %s', async (_, write) => {
    const id = await add({ waitsFor: 'steve', attemptsLeft: 1 });
    const before = await stored(id);
    const delivery = await read(id);
    await store.rollBack((transaction) => write(delivery, transaction));
    expect(await stored(id)).toEqual(before);
  });
});
