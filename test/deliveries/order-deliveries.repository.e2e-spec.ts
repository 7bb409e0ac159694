import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Model } from 'mongoose';
import { newObjectId } from '../../src/lib/ids/object-id.js';
import { type Transaction } from '../../src/infrastructure/database/transactions.js';
import { DELIVERY_MODEL, type DeliveryRecord, deliverySchema } from '../../src/delivery/deliveries/delivery.schema.js';
import {
  type Delivery,
  DELIVERY_KINDS,
  DELIVERY_STATES,
  type DeliveryState,
  type NewDelivery,
} from '../../src/delivery/deliveries/delivery.types.js';
import {
  type ItemsOfOrder,
  OrderDeliveriesRepository,
} from '../../src/delivery/deliveries/order-deliveries.repository.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';

const CREATED_AT = new Date('2026-11-21T12:00:00.000Z');
const DUE_AT = new Date('2026-12-21T12:00:00.000Z');

describe('OrderDeliveriesRepository', () => {
  let store: TestStore;
  let records: Model<DeliveryRecord>;
  let deliveries: OrderDeliveriesRepository;
  let shopId: string;
  let orderId: string;
  const commandListId = newObjectId();

  const delivery = (position: number, fields: Partial<NewDelivery> = {}): NewDelivery => ({
    orderId,
    serverId: null,
    kind: 'purchase',
    position,
    nickname: 'Steve_42',
    quantity: 3,
    commandListId,
    requiresOnline: false,
    isRehearsal: false,
    stage: 'first',
    moneyIsBack: false,
    dueAt: CREATED_AT,
    createdAt: CREATED_AT,
    ...fields,
  });
  const insert = (added: readonly NewDelivery[], shop = shopId): Promise<void> =>
    store.commit((transaction) => deliveries.insertMissing(shop, added, transaction));
  const itemsOf = (order = orderId): ItemsOfOrder => ({ orderId: order, positions: [0, 1] });
  const move = (to: 'queued' | 'held' | 'revoked', shop = shopId, order = orderId): Promise<void> =>
    store.commit((transaction) => deliveries.movePurchases(shop, itemsOf(order), to, transaction));
  const setState = (state: DeliveryState): Promise<unknown> => records.updateMany({ orderId }, { $set: { state } });
  const stored = (order = orderId): Promise<DeliveryRecord[]> =>
    records.find({ orderId: order }).sort({ position: 1 }).lean();
  const states = async (): Promise<DeliveryState[]> => (await stored()).map(({ state }) => state);

  beforeAll(async () => {
    store = await openTestStore();
    records = await openModel<DeliveryRecord>(store.connection, DELIVERY_MODEL, deliverySchema);
    deliveries = new OrderDeliveriesRepository(records);
  });
  beforeEach(() => {
    [shopId, orderId] = [newObjectId(), newObjectId()];
  });
  afterAll(() => store.close());

  it('inserts each delivery once, and does not change one that exists', async () => {
    const serverId = newObjectId();
    await insert([delivery(0, { serverId })]);
    await insert([delivery(0, { nickname: 'Mallory', quantity: 9 }), delivery(1)]);
    const [first, second, ...others] = await stored();
    expect(first).toMatchObject({
      position: 0,
      state: 'queued',
      nickname: 'Steve_42',
      quantity: 3,
      dueAt: CREATED_AT,
      createdAt: CREATED_AT,
      attempt: 0,
      attemptsLeft: 5,
      deliveredAt: null,
    });
    const ids = [first?.shopId, first?.serverId, first?.commandListId].map((id) => id?.toHexString());
    expect(ids).toEqual([shopId, serverId, commandListId]);
    expect(second).toMatchObject({ position: 1, state: 'queued', serverId: null });
    expect(others).toEqual([]);
  });

  it.each<['queued' | 'held' | 'revoked', DeliveryState[]]>([
    ['queued', ['queued', 'held', 'revoked']],
    ['held', ['held', 'queued', 'leased', 'revoked']],
    ['revoked', ['revoked', 'queued', 'held', 'leased']],
  ])('moves to %s from %j only, and does not change the others', async (to, from) => {
    await insert([delivery(0)]);
    for (const state of DELIVERY_STATES) {
      await setState(state);
      await move(to);
      expect(await states()).toEqual([from.includes(state) ? to : state]);
    }
  });

  it('moves no take-back and no expiry', async () => {
    await insert([delivery(0, { kind: 'take_back' }), delivery(0, { kind: 'expiry' })]);
    await move('revoked');
    expect(await states()).toEqual(['queued', 'queued']);
  });

  it('adds one take-back for each item, however many transactions add it at once', async () => {
    const takeBack = delivery(0, { kind: 'take_back' });
    await Promise.allSettled(Array.from({ length: 8 }, () => insert([takeBack])));
    expect(await stored()).toMatchObject([{ kind: 'take_back', position: 0 }]);
  });

  it('finds the deliveries of several orders of the shop', async () => {
    const other = newObjectId();
    await insert([delivery(1), delivery(0), delivery(0, { orderId: other })]);
    const find = (shop: string): Promise<Delivery[]> =>
      store.commit((transaction) => deliveries.findOf(shop, [orderId, other], transaction));
    const found = await find(shopId);
    expect(found.map(({ orderId: order, position }) => [order, position])).toEqual([
      [orderId, 0],
      [orderId, 1],
      [other, 0],
    ]);
    expect(found[0]).toMatchObject({ shopId, commandListId, serverId: null, dueAt: CREATED_AT });
    expect(await find(newObjectId())).toEqual([]);
  });

  it('records in every delivery of the items whether the money went back, and in no other', async () => {
    const others = [delivery(0, { orderId: newObjectId() }), delivery(2)];
    await insert([delivery(0), delivery(0, { kind: 'take_back' }), ...others]);
    await store.commit((transaction) => deliveries.setMoneyIsBack(newObjectId(), itemsOf(), true, transaction));
    expect(await records.countDocuments({ shopId, moneyIsBack: true })).toBe(0);
    await store.commit((transaction) => deliveries.setMoneyIsBack(shopId, itemsOf(), true, transaction));
    expect((await records.find({ shopId, moneyIsBack: true }).lean()).map((one) => one.orderId.toHexString())).toEqual([
      orderId,
      orderId,
    ]);
    await store.commit((transaction) => deliveries.setMoneyIsBack(shopId, itemsOf(), false, transaction));
    expect(await records.countDocuments({ shopId, moneyIsBack: true })).toBe(0);
  });

  it.each(DELIVERY_KINDS)('queues a delivery of the kind %s again with all attempts', async (kind) => {
    await insert([delivery(0, { kind, requiresOnline: true })]);
    const ran = {
      state: 'delivered',
      attemptsLeft: 0,
      waitsFor: null,
      deliveredAt: CREATED_AT,
      deliveredTo: 'Old',
    } as const;
    await records.updateMany({ orderId }, { $set: ran });
    const [before] = await store.commit((transaction) => deliveries.findOf(shopId, [orderId], transaction));
    if (before === undefined) throw new Error('There is no delivery');
    const queue = (one: Delivery): Promise<void> =>
      store.commit((transaction) =>
        deliveries.queue(one, { nickname: 'Alex_42', dueAt: DUE_AT, stage: 'extend' }, transaction),
      );
    await queue({ ...before, shopId: newObjectId() });
    await queue({ ...before, state: 'failed' });
    expect(await states()).toEqual(['delivered']);
    await queue(before);
    const queued = { state: 'queued', attemptsLeft: 5, dueAt: DUE_AT, nickname: 'Alex_42', waitsFor: 'alex_42' };
    // A purchase keeps who received it, and a take-back runs again as if it had never run.
    const deliveredAt = kind === 'purchase' ? CREATED_AT : null;
    expect(await stored()).toMatchObject([{ ...queued, deliveredAt, deliveredTo: kind === 'purchase' ? 'Old' : null }]);
  });

  it('holds back one delivery, unless it changed since it was read', async () => {
    await insert([delivery(0, { kind: 'expiry' }), delivery(1, { kind: 'expiry' })]);
    const [before] = await store.commit((transaction) => deliveries.findOf(shopId, [orderId], transaction));
    if (before === undefined) throw new Error('There is no delivery');
    const revoke = (one: Delivery): Promise<void> => store.commit((transaction) => deliveries.revoke(one, transaction));
    await revoke({ ...before, shopId: newObjectId() });
    await revoke({ ...before, state: 'leased' });
    expect(await states()).toEqual(['queued', 'queued']);
    await revoke(before);
    expect(await states()).toEqual(['revoked', 'queued']);
  });

  it('keeps the deliveries of another shop and of another order', async () => {
    await insert([delivery(0)]);
    await move('revoked', newObjectId());
    await move('revoked', shopId, newObjectId());
    expect(await states()).toEqual(['queued']);
  });

  it('renames the given deliveries of the shop, with the player whom they wait for, and no others', async () => {
    await insert([delivery(0), delivery(1, { requiresOnline: true }), delivery(2)]);
    const read = await store.commit((transaction) => deliveries.findOf(shopId, [orderId], transaction));
    const names = async (): Promise<unknown[]> =>
      (await stored()).map(({ nickname, waitsFor }) => [nickname, waitsFor]);
    const rename = (shop: string): Promise<void> =>
      store.commit((transaction) => deliveries.rename(shop, read.slice(0, 2), 'Alex_42', transaction));
    const before = await names();
    await rename(newObjectId());
    expect(await names()).toEqual(before);
    await rename(shopId);
    expect(await names()).toEqual([
      ['Alex_42', null],
      ['Alex_42', 'alex_42'],
      ['Steve_42', null],
    ]);
  });

  type Write = (before: Delivery, transaction: Transaction) => Promise<void>;
  it.each<[string, Write]>([
    ['insertMissing', (_, transaction) => deliveries.insertMissing(shopId, [delivery(1)], transaction)],
    ['rename', (before, transaction) => deliveries.rename(shopId, [before], 'Alex_42', transaction)],
    ['movePurchases', (_, transaction) => deliveries.movePurchases(shopId, itemsOf(), 'revoked', transaction)],
    ['setMoneyIsBack', (_, transaction) => deliveries.setMoneyIsBack(shopId, itemsOf(), true, transaction)],
    [
      'queue',
      (before, transaction) =>
        deliveries.queue(before, { nickname: 'Alex_42', dueAt: DUE_AT, stage: 'extend' }, transaction),
    ],
    ['revoke', (before, transaction) => deliveries.revoke(before, transaction)],
  ])('takes part in the transaction: nothing of %s stays when it is rolled back', async (_, write) => {
    await insert([delivery(0)]);
    const before = await stored();
    const [read] = await store.commit((transaction) => deliveries.findOf(shopId, [orderId], transaction));
    if (read === undefined) throw new Error('There is no delivery');
    await store.rollBack((transaction) => write(read, transaction));
    expect(await stored()).toEqual(before);
  });
});
