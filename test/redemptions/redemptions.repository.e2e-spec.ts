import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  REDEMPTION_MODEL,
  type RedemptionRecord,
  redemptionSchema,
} from '../../src/orders/reservations/redemption.schema.js';
import { type Redemption } from '../../src/orders/reservations/redemption.types.js';
import { RedemptionsRepository } from '../../src/orders/reservations/redemptions.repository.js';
import { newObjectId } from '../../src/lib/ids/object-id.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';

const [SHOP, OTHER_SHOP] = ['655f1c2ab1e4a9d3f0c81234', '655f1c2ab1e4a9d3f0c81235'] as const;
const [DISCOUNT, OTHER_DISCOUNT] = ['655f1c2ab1e4a9d3f0c81280', '655f1c2ab1e4a9d3f0c81281'] as const;
const BUYER = { buyerKey: 'steve@example.com', nicknameKey: 'steve_42' };
const OTHER_BUYER = { buyerKey: 'alex@example.com', nicknameKey: 'alex_42' };

let store: TestStore;
let redemptions: RedemptionsRepository;

beforeAll(async () => {
  store = await openTestStore();
  const model = await openModel<RedemptionRecord>(store.connection, REDEMPTION_MODEL, redemptionSchema);
  redemptions = new RedemptionsRepository(model);
});
beforeEach(() => store.connection.collection('redemptions').deleteMany({}));
afterAll(() => store.close());

type Values = Omit<Redemption, 'id' | 'shopId'>;
const valuesWith = (fields: Partial<Values> = {}): Values => ({
  discountId: DISCOUNT,
  orderId: newObjectId(),
  ...BUYER,
  state: 'reserved',
  at: new Date('2026-11-21T12:00:00.000Z'),
  ...fields,
});
const insert = (fields: Partial<Values> = {}, shopId: string = SHOP): Promise<Redemption> =>
  store.commit((transaction) => redemptions.insert(shopId, valuesWith(fields), transaction));
const redeem = (orderId: string, shopId: string = SHOP): Promise<Redemption | null> =>
  store.commit((transaction) => redemptions.redeem(shopId, orderId, transaction));
const release = (orderIds: readonly string[], shopId: string = SHOP): Promise<Redemption[]> =>
  store.commit((transaction) => redemptions.release(shopId, orderIds, transaction));
const count = (): Promise<number> =>
  store.commit((transaction) => redemptions.count(SHOP, DISCOUNT, BUYER, transaction));
const states = async (): Promise<unknown[]> =>
  (await store.connection.collection('redemptions').find().toArray()).map(({ state }) => state as unknown);

describe('insert', () => {
  it('returns the stored use', async () => {
    const values = valuesWith();
    const created = await insert(values);
    expect(created).toEqual({ id: created.id, shopId: SHOP, ...values });
  });

  it('rejects a second use of one order', async () => {
    const { orderId } = await insert();
    await expect(insert({ orderId })).rejects.toThrow(/duplicate key/);
  });

  it('inserts nothing when the transaction is rolled back', async () => {
    await store.rollBack((transaction) => redemptions.insert(SHOP, valuesWith(), transaction));
    expect(await states()).toEqual([]);
  });
});

describe('count', () => {
  it('counts the reserved and redeemed uses of one code by one buyer of the shop', async () => {
    await insert();
    await insert({ state: 'redeemed' });
    await insert({ state: 'released' });
    await insert(OTHER_BUYER);
    await insert({ discountId: OTHER_DISCOUNT });
    await insert({}, OTHER_SHOP);
    expect(await count()).toBe(2);
  });

  it('counts uses with the same mailbox, or with the same player, as uses of one buyer', async () => {
    await insert({ ...BUYER, nicknameKey: OTHER_BUYER.nicknameKey });
    await insert({ ...BUYER, buyerKey: OTHER_BUYER.buyerKey });
    expect(await count()).toBe(2);
  });

  it('counts uses that its transaction has written', async () => {
    await store.rollBack(async (transaction) => {
      await redemptions.insert(SHOP, valuesWith(), transaction);
      expect(await redemptions.count(SHOP, DISCOUNT, BUYER, transaction)).toBe(1);
    });
  });
});

describe('redeem', () => {
  it.each([
    ['reserved', true],
    ['released', true],
    ['redeemed', false],
  ] as const)('redeems a use that is %s: %s', async (state, isRedeemed) => {
    const before = await insert({ state });
    expect(await redeem(before.orderId)).toEqual(isRedeemed ? before : null);
    expect(await states()).toEqual(['redeemed']);
  });

  it('leaves the uses of other orders and of other shops as they are', async () => {
    const { orderId } = await insert();
    expect(await redeem(orderId, OTHER_SHOP)).toBeNull();
    expect(await redeem(newObjectId())).toBeNull();
    expect(await states()).toEqual(['reserved']);
  });

  it('redeems nothing when the transaction is rolled back', async () => {
    const { orderId } = await insert();
    await store.rollBack((transaction) => redemptions.redeem(SHOP, orderId, transaction));
    expect(await states()).toEqual(['reserved']);
  });

  it('redeems the use also when a release of the same order runs in parallel', async () => {
    const { orderId } = await insert();
    const [before] = await Promise.all([redeem(orderId), release([orderId])]);
    expect(await states()).toEqual(['redeemed']);
    expect(before).not.toBeNull();
  });
});

describe('release', () => {
  it('releases the reserved uses of the orders, returns them as they were, and leaves all others', async () => {
    const reserved = await insert();
    const redeemed = await insert({ state: 'redeemed' });
    await insert();
    const elsewhere = await insert({}, OTHER_SHOP);
    const orderIds = [reserved, redeemed, elsewhere].map(({ orderId }) => orderId);
    expect(await release(orderIds)).toEqual([reserved]);
    expect(await states()).toEqual(['released', 'redeemed', 'reserved', 'reserved']);
    expect(await release(orderIds)).toEqual([]);
  });

  it('releases nothing when the transaction is rolled back', async () => {
    const { orderId } = await insert();
    await store.rollBack((transaction) => redemptions.release(SHOP, [orderId], transaction));
    expect(await states()).toEqual(['reserved']);
  });
});
