import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Model } from 'mongoose';
import { newObjectId } from '../../src/common/validation/object-id.js';
import { DeliveriesRepository } from '../../src/deliveries/deliveries.repository.js';
import { DELIVERY_MODEL, type DeliveryRecord, deliverySchema } from '../../src/deliveries/delivery.schema.js';
import { DELIVERY_STATES, type DeliveryState, type NewDelivery } from '../../src/deliveries/delivery.types.js';
import { openTestStore, type TestStore } from '../support/store.js';

describe('DeliveriesRepository', () => {
  let store: TestStore;
  let records: Model<DeliveryRecord>;
  let deliveries: DeliveriesRepository;
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
    createdAt: new Date('2026-11-21T12:00:00.000Z'),
    ...fields,
  });
  const alex = (order: string): { orderId: string; nickname: string; requiresOnline: boolean } => ({
    orderId: order,
    nickname: 'Alex_42',
    requiresOnline: false,
  });
  const insert = (added: readonly NewDelivery[], shop = shopId): Promise<void> =>
    store.commit((transaction) => deliveries.insertMissing(shop, added, transaction));
  const move = (to: 'queued' | 'revoked', shop = shopId, order = orderId): Promise<void> =>
    store.commit((transaction) => deliveries.move(shop, order, to, transaction));
  const setState = (state: DeliveryState): Promise<unknown> => records.updateMany({ orderId }, { $set: { state } });
  const stored = (order = orderId): Promise<DeliveryRecord[]> =>
    records.find({ orderId: order }).sort({ position: 1 }).lean();
  const states = async (): Promise<DeliveryState[]> => (await stored()).map(({ state }) => state);

  beforeAll(async () => {
    store = await openTestStore();
    records = store.connection.model<DeliveryRecord>(DELIVERY_MODEL, deliverySchema);
    await records.createIndexes();
    deliveries = new DeliveriesRepository(records);
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
      createdAt: new Date('2026-11-21T12:00:00.000Z'),
    });
    const ids = [first?.shopId, first?.serverId, first?.commandListId].map((id) => id?.toHexString());
    expect(ids).toEqual([shopId, serverId, commandListId]);
    expect(second).toMatchObject({ position: 1, state: 'queued', serverId: null });
    expect(others).toEqual([]);
  });

  it.each<['queued' | 'revoked', DeliveryState[]]>([
    ['queued', ['queued', 'revoked']],
    ['revoked', ['revoked', 'queued', 'leased']],
  ])('moves to %s from %j only, and does not change the others', async (to, from) => {
    await insert([delivery(0)]);
    for (const state of DELIVERY_STATES) {
      await setState(state);
      await move(to);
      expect(await states()).toEqual([from.includes(state) ? to : state]);
    }
  });

  it('does not move deliveries of another shop or of another order', async () => {
    await insert([delivery(0)]);
    await move('revoked', newObjectId());
    await move('revoked', shopId, newObjectId());
    expect(await states()).toEqual(['queued']);
  });

  it('renames waiting deliveries of the shop, and no others', async () => {
    await insert([delivery(0), delivery(1)]);
    const rename = (shop: string, order = orderId): Promise<void> =>
      store.commit((transaction) => deliveries.rename(shop, alex(order), transaction));
    await rename(newObjectId());
    await rename(shopId, newObjectId());
    expect((await stored()).map(({ nickname }) => nickname)).toEqual(['Steve_42', 'Steve_42']);
    await records.updateOne({ orderId, position: 1 }, { $set: { state: 'leased' } });
    await rename(shopId);
    expect((await stored()).map(({ nickname }) => nickname)).toEqual(['Alex_42', 'Steve_42']);
  });

  it('takes part in the transaction: nothing stays when it is rolled back', async () => {
    await insert([delivery(0)]);
    await store.rollBack(async (transaction) => {
      await deliveries.insertMissing(shopId, [delivery(1)], transaction);
      await deliveries.rename(shopId, alex(orderId), transaction);
      await deliveries.move(shopId, orderId, 'revoked', transaction);
    });
    expect((await stored()).map(({ nickname, state }) => [nickname, state])).toEqual([['Steve_42', 'queued']]);
  });
});
