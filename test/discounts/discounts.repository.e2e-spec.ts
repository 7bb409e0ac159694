import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { MINUTE_MS } from '../../src/lib/time/durations.js';
import { newObjectId } from '../../src/lib/ids/object-id.js';
import { decodeCursor } from '../../src/lib/paging/page.js';
import {
  COUNTER_SHARD_MODEL,
  type CounterShardRecord,
  counterShardSchema,
} from '../../src/infrastructure/database/counter-shard.schema.js';
import { ShardedCounters } from '../../src/infrastructure/database/sharded-counters.js';
import { DISCOUNT_MODEL, type DiscountRecord, discountSchema } from '../../src/catalogue/discounts/discount.schema.js';
import {
  type DiscountFilter,
  type Discount,
  type UncountedDiscount,
} from '../../src/catalogue/discounts/discount.types.js';
import { DiscountsRepository } from '../../src/catalogue/discounts/discounts.repository.js';
import { discountWith } from '../support/discounts.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';

const SHOP = '655f1c2ab1e4a9d3f0c81234';
const OTHER_SHOP = '655f1c2ab1e4a9d3f0c81235';
const [PRODUCT, SERVER] = ['655f1c2ab1e4a9d3f0c81270', '655f1c2ab1e4a9d3f0c81260'] as const;

let store: TestStore;
let discounts: DiscountsRepository;

beforeAll(async () => {
  store = await openTestStore();
  const model = await openModel<DiscountRecord>(store.connection, DISCOUNT_MODEL, discountSchema);
  const shards = await openModel<CounterShardRecord>(store.connection, COUNTER_SHARD_MODEL, counterShardSchema);
  discounts = new DiscountsRepository(model, new ShardedCounters(shards));
});
beforeEach(() => store.connection.collection('discounts').deleteMany({}));
afterAll(() => store.close());

const valuesWith = (fields: Partial<Discount> = {}): Omit<UncountedDiscount, 'id' | 'shopId'> => {
  const { id: _id, shopId: _shopId, used: _used, ...values } = discountWith(fields);
  return values;
};
const uncounted = ({ used: _used, ...discount }: Discount): UncountedDiscount => discount;
const insert = (fields: Partial<Discount> = {}, shopId = SHOP): Promise<Discount> =>
  store.commit((transaction) => discounts.insert(shopId, valuesWith(fields), transaction));
const find = (id: string, shopId = SHOP): Promise<Discount | null> => discounts.find(shopId, id, null);

describe('countAll', () => {
  it('counts the codes of the shop up to a number, with those of its transaction', async () => {
    await insert();
    await insert({}, OTHER_SHOP);
    const count = (upTo: number): Promise<number> =>
      store.commit(async (transaction) => {
        await discounts.insert(SHOP, valuesWith({ code: `CODE${upTo}` }), transaction);
        return discounts.countAll(SHOP, upTo, transaction);
      });
    expect([await count(5), await count(2)]).toEqual([2, 2]);
  });
});

describe('insert', () => {
  it('stores ids as ObjectIds and returns the stored discount', async () => {
    const fields = { productIds: [PRODUCT], serverIds: [SERVER], maxUses: 3, endsAt: new Date(0) };
    const created = await insert(fields);
    expect(created).toEqual({ id: created.id, shopId: SHOP, used: 0, ...valuesWith(fields) });
    const record = await store.connection.collection('discounts').findOne({ _id: new Types.ObjectId(created.id) });
    expect(record).toMatchObject({
      shopId: new Types.ObjectId(SHOP),
      productIds: [new Types.ObjectId(PRODUCT)],
      serverIds: [new Types.ObjectId(SERVER)],
    });
    expect(await find(created.id)).toEqual(created);
  });

  it('rejects a code that the shop has, and accepts it in another shop', async () => {
    await insert();
    await expect(insert()).rejects.toMatchObject({ code: 'discount_code_taken' });
    expect(await insert({}, OTHER_SHOP)).toMatchObject({ shopId: OTHER_SHOP });
  });
});

describe('list', () => {
  it('returns the discounts of the shop page by page, newest first', async () => {
    const ids: string[] = [];
    for (const code of ['AA', 'BB', 'CC']) ids.unshift((await insert({ code })).id);
    await insert({}, OTHER_SHOP);
    const first = await discounts.list(SHOP, {}, { after: null, limit: 2 });
    expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const second = await discounts.list(SHOP, {}, { after: decodeCursor(first.nextCursor ?? ''), limit: 2 });
    expect(second.items.map(({ id }) => id)).toEqual(ids.slice(2));
    expect(second.nextCursor).toBeNull();
  });
});

describe('a search', () => {
  it('finds discounts by the beginning of the code, and by each filter', async () => {
    await insert({ code: 'SUMMER-10', productIds: [PRODUCT] });
    await insert({ code: 'SUMMER-20', isActive: false, serverIds: [SERVER] });
    await insert({ code: 'WINTER', type: 'fixed', value: 100 });
    await insert({ code: 'SUMMER' }, OTHER_SHOP);
    const rows: [DiscountFilter, string[]][] = [
      [{ q: ' summer\u2013' }, ['SUMMER-20', 'SUMMER-10']],
      [{ q: 'summer', isActive: true }, ['SUMMER-10']],
      ...['inter', '.*', '^SUMMER'].map((q): [DiscountFilter, string[]] => [{ q }, []]),
      [{ type: 'fixed' }, ['WINTER']],
      [{ productId: PRODUCT }, ['SUMMER-10']],
      [{ serverId: SERVER }, ['SUMMER-20']],
    ];
    for (const [filter, codes] of rows) {
      const { items, total } = await discounts.list(SHOP, filter, { after: null, limit: 50 });
      expect([filter, items.map(({ code }) => code), total]).toEqual([filter, codes, codes.length]);
    }
    const oldest = await discounts.list(SHOP, {}, { after: null, limit: 1, oldestFirst: true });
    expect(oldest.items.map(({ code }) => code)).toEqual(['SUMMER-10']);
  });
});

describe('find and findByCode', () => {
  it('returns the discount of the shop, and null for another shop or an unknown one', async () => {
    const created = await insert();
    expect(await find(created.id)).toEqual(created);
    expect(await discounts.findByCode(SHOP, 'SUMMER10', null)).toEqual(uncounted(created));
    expect(await find(created.id, OTHER_SHOP)).toBeNull();
    expect(await discounts.findByCode(OTHER_SHOP, 'SUMMER10', null)).toBeNull();
    expect(await find('0'.repeat(24))).toBeNull();
    expect(await discounts.findByCode(SHOP, 'OTHER', null)).toBeNull();
  });

  it('reads what its transaction has written', async () => {
    const { id } = await insert();
    await store.rollBack(async (transaction) => {
      await discounts.update(SHOP, id, { code: 'OTHER' }, transaction);
      expect(await discounts.find(SHOP, id, transaction)).toMatchObject({ code: 'OTHER' });
      expect(await discounts.findByCode(SHOP, 'OTHER', transaction)).toMatchObject({ id });
    });
  });
});

describe('update', () => {
  it('sets what the change names, clears what is null and keeps the rest', async () => {
    const before = await insert({ maxUses: 3, productIds: [PRODUCT] });
    const change = { value: 25, maxUses: null, productIds: null, serverIds: [SERVER] };
    const after = await store.commit((transaction) => discounts.update(SHOP, before.id, change, transaction));
    expect(after).toEqual({ ...before, ...change });
    expect(await find(before.id)).toEqual(after);
  });

  it('rejects a code that another discount of the shop has', async () => {
    await insert({ code: 'TAKEN' });
    const { id } = await insert();
    const update = store.commit((transaction) => discounts.update(SHOP, id, { code: 'TAKEN' }, transaction));
    await expect(update).rejects.toMatchObject({ code: 'discount_code_taken' });
  });
});

describe('the uses of a code', () => {
  const takeUse = (id: string): Promise<boolean> =>
    store.commit((transaction) => discounts.takeUse(SHOP, id, newObjectId(), transaction));
  const takeUses = async (id: string, count: number): Promise<boolean[]> => {
    const taken: boolean[] = [];
    for (let n = 0; n < count; n++) taken.push(await takeUse(id));
    return taken;
  };

  it('counts the uses of a code without a limit, and with one up to the limit', async () => {
    const [any, two] = [await insert({ code: 'ANY' }), await insert({ code: 'TWO', maxUses: 2 })];
    expect(await takeUses(any.id, 3)).toEqual([true, true, true]);
    expect(await takeUses(two.id, 3)).toEqual([true, true, false]);
    expect([await find(any.id), await find(two.id)]).toEqual([
      { ...any, used: 3 },
      { ...two, used: 2 },
    ]);
    expect([await discounts.usesOf(any), await discounts.usesOf(two)]).toEqual([3, 2]);
    const listed = await discounts.list(SHOP, {}, { after: null, limit: 50 });
    expect(listed.items.map(({ used }) => used)).toEqual([2, 3]);
  });

  it('gives maxUses uses to concurrent transactions, and no more', async () => {
    const { id } = await insert({ maxUses: 3 });
    const taken = await Promise.all(Array.from({ length: 8 }, () => takeUse(id)));
    expect(taken.filter(Boolean)).toHaveLength(3);
    expect(await find(id)).toMatchObject({ used: 3 });
  });

  it('applies a limit that is set, lowered, raised or cleared, and keeps the number of uses', async () => {
    const { id } = await insert();
    await takeUses(id, 3);
    const limit = (maxUses: number | null): Promise<Discount | null> =>
      store.commit((transaction) => discounts.update(SHOP, id, { maxUses }, transaction));
    let usedBefore = 3;
    for (const [maxUses, hasUseLeft] of [
      [3, false],
      [2, false],
      [4, true],
      [4, false],
      [null, true],
    ] as const) {
      const used = (await limit(maxUses))?.used;
      expect([maxUses, used, await takeUse(id)]).toEqual([maxUses, usedBefore, hasUseLeft]);
      if (hasUseLeft) usedBefore++;
    }
    expect(await find(id)).toMatchObject({ used: 5, maxUses: null });
  });

  it('counts uses without a check too, and releases them', async () => {
    const { id } = await insert({ maxUses: 1 });
    await takeUse(id);
    await store.commit((transaction) => discounts.takeUseAnyway(SHOP, id, transaction));
    expect(await find(id)).toMatchObject({ used: 2 });
    await store.commit((transaction) => discounts.releaseUses(SHOP, id, 2, transaction));
    expect(await find(id)).toMatchObject({ used: 0 });
  });
});

describe('every write', () => {
  it('leaves the discount of another shop as it is', async () => {
    const before = await insert();
    const results = await store.commit(async (transaction) => [
      await discounts.update(OTHER_SHOP, before.id, { value: 25 }, transaction),
      await discounts.delete(OTHER_SHOP, before.id, transaction),
      await discounts.takeUse(OTHER_SHOP, before.id, newObjectId(), transaction),
    ]);
    await store.commit((transaction) => discounts.takeUseAnyway(OTHER_SHOP, before.id, transaction));
    expect(results).toEqual([null, null, false]);
    expect(await find(before.id)).toEqual(before);
  });

  it('changes nothing when the transaction is rolled back', async () => {
    const before = await insert();
    await store.rollBack((transaction) => discounts.insert(SHOP, valuesWith({ code: 'OTHER' }), transaction));
    await store.rollBack((transaction) => discounts.update(SHOP, before.id, { value: 25 }, transaction));
    await store.rollBack((transaction) => discounts.takeUse(SHOP, before.id, newObjectId(), transaction));
    await store.rollBack((transaction) => discounts.takeUseAnyway(SHOP, before.id, transaction));
    await store.rollBack((transaction) => discounts.delete(SHOP, before.id, transaction));
    expect((await discounts.list(SHOP, {}, { after: null, limit: 50 })).items).toEqual([before]);
  });
});

describe('delete', () => {
  it('removes the discount, returns it and frees its code', async () => {
    const before = await insert();
    expect(await store.commit((transaction) => discounts.delete(SHOP, before.id, transaction))).toEqual(before);
    expect(await find(before.id)).toBeNull();
    expect(await store.commit((transaction) => discounts.delete(SHOP, before.id, transaction))).toBeNull();
    expect(await insert()).toMatchObject({ code: before.code });
  });
});

describe('markExhausted', () => {
  /** Each call is a minute after the last one. A second call of the same instant would change nothing in any case. */
  let now = new Date('2026-11-23T12:00:00.000Z');
  const later = (): Date => (now = new Date(now.getTime() + MINUTE_MS));
  const ORDERS = [newObjectId(), newObjectId()] as const;
  const take = (id: string, order: string): Promise<boolean> =>
    store.commit((transaction) => discounts.takeUse(SHOP, id, order, transaction));
  const markExhausted = (id: string, shopId = SHOP): Promise<Discount | null> =>
    store.commit((transaction) => discounts.markExhausted(shopId, id, later(), transaction));
  const release = (id: string, shopId = SHOP): Promise<void> =>
    store.commit((transaction) => discounts.releaseUses(shopId, id, 1, transaction));

  it('returns a code without uses left once, and only in its shop', async () => {
    const { id } = await insert({ maxUses: 2 });
    await take(id, ORDERS[0]);
    expect(await markExhausted(id)).toBeNull();
    await take(id, ORDERS[1]);
    expect(await markExhausted(id, OTHER_SHOP)).toBeNull();
    expect(await markExhausted(id)).toMatchObject({ id, used: 2 });
    expect(await markExhausted(id)).toBeNull();
  });

  it('returns no code without a limit, and none that the shop does not have', async () => {
    const { id } = await insert({ maxUses: null });
    await take(id, ORDERS[0]);
    expect([await markExhausted(id), await markExhausted(newObjectId())]).toEqual([null, null]);
  });

  it('returns a code again when a use was released, or its limit was changed, and the last one was taken again', async () => {
    const { id } = await insert({ maxUses: 1 });
    await take(id, ORDERS[0]);
    expect(await markExhausted(id)).not.toBeNull();
    await release(id);
    expect(await markExhausted(id)).toBeNull();
    await take(id, ORDERS[1]);
    expect(await markExhausted(id)).not.toBeNull();
    await store.commit((transaction) => discounts.update(SHOP, id, { maxUses: 1 }, transaction));
    expect(await markExhausted(id)).not.toBeNull();
    await store.commit((transaction) => discounts.update(SHOP, id, { maxUses: 2 }, transaction));
    await take(id, newObjectId());
    expect(await markExhausted(id)).not.toBeNull();
  });

  it('returns null for a code when a use of another code was released', async () => {
    const { id } = await insert({ maxUses: 1 });
    await take(id, ORDERS[0]);
    expect(await markExhausted(id)).not.toBeNull();
    await release((await insert({ code: 'OTHER' })).id);
    expect(await markExhausted(id)).toBeNull();
  });

  it('changes nothing in a transaction that is undone', async () => {
    const { id } = await insert({ maxUses: 1 });
    await take(id, ORDERS[0]);
    await store.rollBack((transaction) => discounts.markExhausted(SHOP, id, later(), transaction));
    expect(await markExhausted(id)).not.toBeNull();
    await store.rollBack((transaction) => discounts.releaseUses(SHOP, id, 1, transaction));
    expect(await markExhausted(id)).toBeNull();
  });
});
