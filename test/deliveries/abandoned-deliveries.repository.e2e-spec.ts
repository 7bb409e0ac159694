import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Model } from 'mongoose';
import { MINUTE_MS } from '../../src/lib/time/durations.js';
import { newObjectId } from '../../src/lib/ids/object-id.js';
import { AbandonedDeliveriesRepository } from '../../src/delivery/deliveries/abandoned-deliveries.repository.js';
import { DELIVERY_MODEL, type DeliveryRecord, deliverySchema } from '../../src/delivery/deliveries/delivery.schema.js';
import { type AbandonedDelivery } from '../../src/delivery/deliveries/delivery.types.js';
import { aDeliveryRecord } from '../support/delivery-records.js';
import { idOf } from '../support/records.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';

const NOW = new Date('2026-11-22T12:00:00.000Z');
const UNTIL = new Date(NOW.getTime() + 2 * MINUTE_MS);

describe('AbandonedDeliveriesRepository', () => {
  let store: TestStore;
  let records: Model<DeliveryRecord>;
  let abandoned: AbandonedDeliveriesRepository;
  let shopId: string;

  /** A delivery whose last lease ended at `NOW`. Returns its id. */
  async function aDelivery(fields: Partial<DeliveryRecord> = {}): Promise<string> {
    const spent = { shopId: idOf(shopId), state: 'leased', dueAt: NOW, attempt: 5, attemptsLeft: 0 } as const;
    const { _id } = await records.create(aDeliveryRecord({ ...spent, ...fields }));
    return _id.toHexString();
  }
  const claim = (): Promise<AbandonedDelivery[]> =>
    store.commit((transaction) => abandoned.claim(NOW, UNTIL, 10, transaction));
  const end = (ids: readonly string[], shop = shopId, until = UNTIL): Promise<string[]> =>
    store.commit((transaction) => abandoned.end(shop, ids, until, transaction));
  const stored = async (id: string): Promise<DeliveryRecord | null> => records.findById(id).lean();

  beforeAll(async () => {
    store = await openTestStore();
    records = await openModel<DeliveryRecord>(store.connection, DELIVERY_MODEL, deliverySchema);
    abandoned = new AbandonedDeliveriesRepository(records);
  });
  beforeEach(async () => {
    shopId = newObjectId();
    await records.deleteMany({});
  });
  afterAll(() => store.close());

  it('returns with each delivery its shop and until when it is claimed', async () => {
    const other = newObjectId();
    const late = await aDelivery();
    const early = await aDelivery({ shopId: idOf(other), dueAt: new Date(NOW.getTime() - 1) });
    expect(await claim()).toEqual([
      { id: early, shopId: other, claimedUntil: UNTIL },
      { id: late, shopId, claimedUntil: UNTIL },
    ]);
  });

  it('marks claimed deliveries as uncertain once, and returns each of their orders once', async () => {
    const orderId = newObjectId();
    const ids = [await aDelivery({ orderId: idOf(orderId) }), await aDelivery({ orderId: idOf(orderId), position: 1 })];
    await claim();
    expect(await end(ids)).toEqual([orderId]);
    for (const id of ids) expect(await stored(id)).toMatchObject({ state: 'uncertain', attempt: 5 });
    expect(await end(ids)).toEqual([]);
  });

  it.each<[string, Partial<DeliveryRecord>]>([
    ['was claimed again', { dueAt: new Date(UNTIL.getTime() + 1) }],
    ['was reported', { state: 'delivered' }],
    ['was held back', { state: 'revoked' }],
    ['was queued again', { state: 'queued', attemptsLeft: 5 }],
    ['was queued again and leased', { attemptsLeft: 4 }],
  ])('keeps a delivery that %s since its claim', async (_what, fields) => {
    const id = await aDelivery();
    await claim();
    await records.updateOne({ _id: id }, { $set: fields });
    const before = await stored(id);
    expect(await end([id])).toEqual([]);
    expect(await stored(id)).toEqual(before);
  });

  it('changes nothing in another shop, and nothing when its transaction is undone', async () => {
    const id = await aDelivery();
    await claim();
    expect(await end([id], newObjectId())).toEqual([]);
    await store.rollBack((transaction) => abandoned.end(shopId, [id], UNTIL, transaction));
    expect(await stored(id)).toMatchObject({ state: 'leased', dueAt: UNTIL });
  });
});
