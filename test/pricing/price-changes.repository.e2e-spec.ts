import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  PRICE_CHANGE_MODEL,
  type PriceChangeRecord,
  priceChangeSchema,
} from '../../src/catalogue/pricing/price-change.schema.js';
import { NO_END, type PriceChange } from '../../src/catalogue/pricing/price-change.types.js';
import { PriceChangesRepository } from '../../src/catalogue/pricing/price-changes.repository.js';
import { OTHER_SHOP, SHOP } from '../support/contexts.js';
import { changeWith } from '../support/prices.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';

const VIP = '655f1c2ab1e4a9d3f0c81270';
const KEY = '655f1c2ab1e4a9d3f0c81271';
const RANKS = '655f1c2ab1e4a9d3f0c81290';
const day = (number: number): Date => new Date(Date.UTC(2026, 10, number));

let store: TestStore;
let changes: PriceChangesRepository;

beforeAll(async () => {
  store = await openTestStore();
  changes = new PriceChangesRepository(
    await openModel<PriceChangeRecord>(store.connection, PRICE_CHANGE_MODEL, priceChangeSchema),
  );
});
beforeEach(() => store.connection.collection('price_changes').deleteMany({}));
afterAll(() => store.close());

const insert = (...all: Partial<PriceChange>[]): Promise<void> =>
  store.commit((transaction) =>
    changes.insert(
      all.map((fields) => {
        const { id: _id, ...change } = changeWith({ productId: VIP, shopId: SHOP, ...fields });
        return change;
      }),
      transaction,
    ),
  );
const inForce = (wanted: Parameters<PriceChangesRepository['inForce']>[1], shopId = SHOP): Promise<PriceChange[]> =>
  store.commit((transaction) => changes.inForce(shopId, wanted, transaction));

describe('The recorded prices', () => {
  it('are found while they are in force, by product and by category, in their shop', async () => {
    await insert({ until: day(2) }, { from: day(2), categoryId: RANKS }, { productId: KEY, listMinor: 5 });
    expect((await inForce({ productIds: [VIP, KEY] })).map(({ listMinor }) => listMinor).sort()).toEqual([1_000, 5]);
    expect(await inForce({ categoryId: RANKS })).toMatchObject([{ productId: VIP, from: day(2), until: NO_END }]);
    expect(await inForce({ productIds: [VIP] }, OTHER_SHOP)).toEqual([]);
  });

  it('end once, and only in their shop', async () => {
    await insert({});
    const [{ id } = { id: '' }] = await inForce({ productIds: [VIP] });
    await store.commit((transaction) => changes.end(OTHER_SHOP, [id], day(1), transaction));
    expect(await inForce({ productIds: [VIP] })).toHaveLength(1);
    for (const until of [day(2), day(3)])
      await store.commit((transaction) => changes.end(SHOP, [id], until, transaction));
    expect(await changes.listSince(SHOP, VIP, day(1), 0, null)).toMatchObject([{ until: day(2) }]);
  });

  it('are listed from the first that was in force after a moment, to the millisecond', async () => {
    await insert({ until: day(2) }, { from: day(2), until: day(3) }, { from: day(3) }, { productId: KEY });
    await store.commit((transaction) =>
      changes.insert([{ ...changeWith({ shopId: OTHER_SHOP, productId: VIP }) }], transaction),
    );
    const lasting = async (since: Date, productId: string | null, limit = 0): Promise<Date[]> =>
      (await changes.listSince(SHOP, productId, since, limit, null)).map(({ until }) => until);
    expect(await lasting(day(2), VIP)).toEqual([day(3), NO_END]);
    expect(await lasting(new Date(day(2).getTime() - 1), VIP)).toEqual([day(2), day(3), NO_END]);
    expect(await lasting(day(2), null)).toEqual([day(3), NO_END, NO_END]);
    expect(await lasting(day(2), null, 2)).toEqual([day(3), NO_END]);
  });

  it('rejects a second price in force of one product', async () => {
    await insert({});
    await expect(insert({ from: day(2) })).rejects.toMatchObject({ code: 11_000 });
  });
});
