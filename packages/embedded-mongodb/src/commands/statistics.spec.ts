import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BSON, type Document, type MongoClient } from 'mongodb';
import { openTestStore, type TestStore } from '../../test/support/test-store.js';

let store: TestStore;
let client: MongoClient;

beforeAll(async () => {
  store = await openTestStore();
  ({ client } = store);
});
afterAll(() => store.close());

describe('statistics, as a shell requests them', () => {
  it('counts documents, indexes and their bytes', async () => {
    const db = client.db('shop');
    const documents = Array.from({ length: 2500 }, (_, _id) => ({ _id, text: 'x'.repeat(_id % 10) }));
    await db.collection<{ _id: number }>('c').insertMany(documents);
    await db.collection('c').createIndexes([{ key: { text: 1 } }]);
    const bytes = documents.reduce((sum, document) => sum + BSON.calculateObjectSize(document), 0);
    const statsOf = async (options: Document): Promise<Document> =>
      (await db
        .collection('c')
        .aggregate([{ $collStats: { count: {}, storageStats: options } }])
        .next()) ?? {};
    const {
      ns,
      count,
      storageStats: stats,
    } = (await statsOf({})) as { ns: string; count: number; storageStats: Document };
    expect({ ns, count }).toEqual({ ns: 'shop.c', count: 2500 });
    expect(stats).toMatchObject({ count: 2500, nindexes: 2, capped: false });
    expect(stats['size']).toBe(bytes + 2500 * 11); // each with its key
    expect(Object.keys(stats['indexSizes'])).toEqual(['_id_', 'text_1']);
    expect(stats['totalSize']).toBe(Number(stats['size']) + Number(stats['totalIndexSize']));
    expect(await statsOf({ scale: 1024 })).toMatchObject({
      storageStats: { size: Math.floor(Number(stats['size']) / 1024), scaleFactor: 1024 },
    });
    expect(await db.stats()).toMatchObject({
      db: 'shop',
      collections: 1,
      objects: 2500,
      indexes: 2,
      dataSize: stats['size'],
    });
  });

  it('lists databases with their sizes, or their names alone', async () => {
    await client.db('other').collection('c').insertOne({});
    const stats = await Promise.all(['other', 'shop'].map((name) => client.db(name).stats()));
    const sizes = stats.map(({ totalSize }) => Number(totalSize));
    expect(await client.db().admin().listDatabases()).toMatchObject({
      databases: [
        { name: 'other', sizeOnDisk: sizes[0], empty: false },
        { name: 'shop', sizeOnDisk: sizes[1], empty: false },
      ],
      totalSize: Number(sizes[0]) + Number(sizes[1]),
    });
    const names = await client.db().admin().listDatabases({ nameOnly: true });
    expect(names.databases).toEqual([{ name: 'other' }, { name: 'shop' }]);
    expect(names).not.toHaveProperty('totalSize');
    expect(
      (
        await client
          .db()
          .admin()
          .listDatabases({ filter: { sizeOnDisk: { $gt: 1000 } } })
      ).databases,
    ).toEqual([{ name: 'shop', sizeOnDisk: sizes[1], empty: false }]);
  });

  it('rejects statistics of a missing collection, and options that the store does not have', async () => {
    const db = client.db('shop');
    await expect(
      db
        .collection('none')
        .aggregate([{ $collStats: { count: {} } }])
        .toArray(),
    ).rejects.toMatchObject({ code: 26 });
    await expect(
      db
        .collection('c')
        .aggregate([{ $collStats: { latencyStats: {} } }])
        .toArray(),
    ).rejects.toMatchObject({
      code: 238,
    });
    await expect(
      db
        .collection('c')
        .aggregate([{ $limit: 1 }, { $collStats: {} }])
        .toArray(),
    ).rejects.toMatchObject({ code: 40602 });
    const filtered = [{ $collStats: { count: {} } }, { $match: { count: { $lt: 0 } } }];
    expect(await db.collection('c').aggregate(filtered).toArray()).toEqual([]);
  });
});
