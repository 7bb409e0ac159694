import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newObjectId } from '../../src/lib/ids/object-id.js';
import { REFUND_MODEL, type RefundRecord, refundSchema } from '../../src/payments/refunds/refund.schema.js';
import { type Refund } from '../../src/payments/refunds/refund.types.js';
import { type RefundChange, RefundsRepository } from '../../src/payments/refunds/refunds.repository.js';
import { OTHER_SHOP, SHOP } from '../support/contexts.js';
import { aRefund } from '../support/refunds.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const LATER = new Date('2026-11-21T12:02:00.000Z');
const PENDING: RefundChange = { state: 'pending', refundId: 're_1', failure: null, dueAt: LATER };

describe('RefundsRepository', () => {
  let store: TestStore;
  let refunds: RefundsRepository;
  let orderId: string;

  const insert = (fields: Partial<Refund> = {}, shopId = SHOP): Promise<Refund> => {
    const { shopId: _, ...values } = aRefund({ id: newObjectId(), orderId, dueAt: null, ...fields });
    return store.commit((transaction) => refunds.insert(shopId, values, transaction));
  };
  const change = (id: string, to: RefundChange, shopId = SHOP): Promise<boolean> =>
    store.commit((transaction) => refunds.change(shopId, id, to, transaction));
  const claim = (limit = 10, now = NOW): Promise<Refund[]> =>
    store.commit((transaction) => refunds.claimDue(aRefund().provider, now, LATER, limit, transaction));

  beforeAll(async () => {
    store = await openTestStore();
    const model = await openModel<RefundRecord>(store.connection, REFUND_MODEL, refundSchema);
    refunds = new RefundsRepository(model);
  });
  beforeEach(() => {
    orderId = newObjectId();
  });
  afterAll(() => store.close());

  it('stores a refund once, and lists those of an order of the shop, oldest first', async () => {
    // The later id is stored first.
    const ids = [newObjectId(), newObjectId()].sort();
    const second = await insert({ id: ids[1] ?? '', amountMinor: 1 });
    const first = await insert({ id: ids[0] ?? '' });
    await insert({ orderId: newObjectId() });
    await insert({}, OTHER_SHOP);
    expect(first).toEqual(aRefund({ id: first.id, orderId, dueAt: null }));
    expect(await refunds.list(SHOP, orderId, null)).toEqual([first, second]);
    expect(await refunds.find(SHOP, first.id, null)).toEqual(first);
    expect(await refunds.find(OTHER_SHOP, first.id, null)).toBeNull();
    await expect(insert({ id: first.id })).rejects.toMatchObject({ code: 'idempotency_in_progress' });
  });

  it('moves a refund of the shop as its states allow', async () => {
    const { id } = await insert();
    expect(await change(id, PENDING, OTHER_SHOP)).toBe(false);
    expect(await change(id, PENDING)).toBe(true);
    expect(await refunds.find(SHOP, id, null)).toMatchObject(PENDING);
    expect(await change(id, { ...PENDING, state: 'requested' })).toBe(false);
    expect(await change(id, { ...PENDING, state: 'succeeded', dueAt: null })).toBe(true);
    expect(await change(id, PENDING)).toBe(false);
    expect(await change(id, { ...PENDING, state: 'failed', dueAt: null })).toBe(true);
    expect(await change(id, { ...PENDING, state: 'succeeded' })).toBe(false);
  });

  it.each([
    ['requested', 'succeeded', true],
    ['requested', 'failed', true],
    ['pending', 'failed', true],
    ['failed', 'pending', false],
    ['succeeded', 'pending', false],
  ] as const)('moves a refund from %s to %s: %s', async (from, to, isAllowed) => {
    const { id } = await insert({ state: from });
    expect(await change(id, { ...PENDING, state: to, dueAt: null })).toBe(isAllowed);
  });

  it.each(['pending', 'succeeded'] as const)(
    'keeps a refund that is %s at the provider, when a parallel request got no information about it',
    async (state) => {
      const { id } = await insert({ state, refundId: 're_1' });
      expect(await change(id, { state: 'failed', refundId: null, failure: 'not_confirmed', dueAt: null })).toBe(false);
      expect(await refunds.find(SHOP, id, null)).toMatchObject({ state, refundId: 're_1' });
      expect(await change(id, { ...PENDING, state: 'failed', dueAt: null })).toBe(true);
    },
  );

  it('claims each due refund once, the longest due first, and counts the check', async () => {
    const due = (second: number): Promise<Refund> => insert({ dueAt: new Date(NOW.getTime() - second * 1000) });
    const [soon, now, long] = [await due(-1), await due(0), await due(9)];
    await insert();
    expect(await claim(1)).toEqual([{ ...long, checks: 1 }]);
    expect(await claim()).toEqual([{ ...now, checks: 1 }]);
    expect(await claim()).toEqual([]);
    await store.commit((transaction) => refunds.schedule(SHOP, now.id, null, transaction));
    await store.commit((transaction) => refunds.schedule(OTHER_SHOP, soon.id, null, transaction));
    const again = await claim(10, LATER);
    expect(again.map(({ id, checks }) => [id, checks])).toEqual([
      [soon.id, 1],
      [long.id, 2],
    ]);
  });

  it('changes nothing when the transaction is rolled back', async () => {
    const { id } = await insert({ dueAt: NOW });
    const { shopId: _, ...another } = aRefund({ id: newObjectId(), orderId });
    await store.rollBack((transaction) => refunds.insert(SHOP, another, transaction));
    expect(await refunds.list(SHOP, orderId, null)).toHaveLength(1);
    await store.rollBack((transaction) => refunds.change(SHOP, id, PENDING, transaction));
    await store.rollBack((transaction) => refunds.schedule(SHOP, id, null, transaction));
    await store.rollBack((transaction) => refunds.claimDue(aRefund().provider, NOW, LATER, 10, transaction));
    expect(await refunds.find(SHOP, id, null)).toMatchObject({ state: 'requested', dueAt: NOW, checks: 0 });
  });
});
