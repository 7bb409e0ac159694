import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Model } from 'mongoose';
import { newObjectId } from '../../src/lib/ids/object-id.js';
import {
  DELIVERY_ATTEMPT_MODEL,
  type DeliveryAttemptRecord,
  deliveryAttemptSchema,
} from '../../src/delivery/deliveries/delivery-attempt.schema.js';
import { DeliveryAttemptsRepository } from '../../src/delivery/deliveries/delivery-attempts.repository.js';
import { type DeliveryAttempt } from '../../src/delivery/deliveries/delivery.types.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';

const LEASED_AT = new Date('2026-11-22T12:00:00.000Z');
const LEASE_UNTIL = new Date('2026-11-22T12:02:00.000Z');
const REPORTED_AT = new Date('2026-11-22T12:01:00.000Z');

describe('DeliveryAttemptsRepository', () => {
  type NewAttempt = Omit<DeliveryAttempt, 'id' | 'shopId'>;
  let store: TestStore;
  let records: Model<DeliveryAttemptRecord>;
  let attempts: DeliveryAttemptsRepository;
  let shopId: string;
  let deliveryId: string;

  const attempt = (number: number, fields: Partial<NewAttempt> = {}): NewAttempt => ({
    deliveryId,
    attempt: number,
    serverId: newObjectId(),
    nickname: 'Steve_42',
    leasedBy: 'key:1',
    leasedAt: LEASED_AT,
    leaseUntil: LEASE_UNTIL,
    result: null,
    output: null,
    acknowledgedAt: null,
    ...fields,
  });
  const insert = (added: readonly NewAttempt[], shop = shopId): Promise<void> =>
    store.commit((transaction) => attempts.insertAll(shop, added, transaction));
  const find = (ids = [deliveryId], shop = shopId): Promise<DeliveryAttempt[]> => attempts.findOf(shop, ids, null);
  const theOnly = async (): Promise<DeliveryAttempt> => {
    const [one, ...others] = await find();
    if (one === undefined || others.length > 0) throw new Error('There is not one attempt');
    return one;
  };
  const delivered = { result: 'delivered', output: 'Gave 1 key', acknowledgedAt: REPORTED_AT } as const;
  const failed = { result: 'failed', output: null, acknowledgedAt: LEASE_UNTIL } as const;

  beforeAll(async () => {
    store = await openTestStore();
    records = await openModel<DeliveryAttemptRecord>(store.connection, DELIVERY_ATTEMPT_MODEL, deliveryAttemptSchema);
    attempts = new DeliveryAttemptsRepository(records);
  });
  beforeEach(() => {
    [shopId, deliveryId] = [newObjectId(), newObjectId()];
  });
  afterAll(() => store.close());

  it('returns what it stored, the oldest attempt of each delivery first', async () => {
    const other = newObjectId();
    const added = [attempt(2), attempt(1, { deliveryId: other, ...delivered }), attempt(1)];
    await insert(added);
    const found = await find([deliveryId, other]);
    const [second, ofOther, first] = added.map((one) => ({ ...one, shopId, id: expect.any(String) }));
    expect(found).toEqual([first, second, ofOther]);
  });

  it('finds the attempts of these deliveries of the shop only', async () => {
    await insert([attempt(1), attempt(1, { deliveryId: newObjectId() })]);
    expect(await find([deliveryId], newObjectId())).toEqual([]);
    expect(await find([])).toEqual([]);
    expect((await theOnly()).deliveryId).toBe(deliveryId);
  });

  it('stores each number of an attempt of a delivery once', async () => {
    await insert([attempt(1)]);
    await expect(insert([attempt(1, { nickname: 'Mallory' })])).rejects.toThrow('E11000');
    expect(await theOnly()).toMatchObject({ nickname: 'Steve_42' });
  });

  it('stores the report of one attempt once: a second report does not change it', async () => {
    await insert([attempt(1), attempt(2)]);
    const [, second] = await find();
    if (second === undefined) throw new Error('There is no second attempt');
    await store.commit((transaction) => attempts.report(second, delivered, transaction));
    expect(await find()).toMatchObject([
      { attempt: 1, result: null },
      { attempt: 2, ...delivered },
    ]);
    await store.commit((transaction) => attempts.report(second, failed, transaction));
    expect(await find()).toMatchObject([
      { attempt: 1, result: null },
      { attempt: 2, ...delivered },
    ]);
  });

  it('stores no report for another shop', async () => {
    await insert([attempt(1)]);
    const other = { ...(await theOnly()), shopId: newObjectId() };
    await store.commit((transaction) => attempts.report(other, delivered, transaction));
    expect(await theOnly()).toMatchObject({ result: null, output: null, acknowledgedAt: null });
  });

  it('takes part in the transaction: it reads what that wrote, and nothing stays when it is rolled back', async () => {
    await store.rollBack(async (transaction) => {
      await attempts.insertAll(shopId, [attempt(1)], transaction);
      expect(await attempts.findOf(shopId, [deliveryId], transaction)).toHaveLength(1);
    });
    expect(await find()).toEqual([]);
    await insert([attempt(1)]);
    const before = await theOnly();
    await store.rollBack((transaction) => attempts.report(before, delivered, transaction));
    expect(await theOnly()).toEqual(before);
  });
});
