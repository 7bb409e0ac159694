import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Collection, type Document, type IndexDescription, type MongoClient, ObjectId } from 'mongodb';
import { withNewCollections } from '../test/support/test-store.js';

let client: MongoClient;
let c: Collection;

withNewCollections(
  (...made) => {
    [client, c] = made;
  },
  { expireEveryMs: 50 },
);

interface Explained {
  index: string | undefined;
  sorts: boolean;
  keys: number;
  documents: number;
}
async function explain(filter: Document, sort?: Document): Promise<Explained> {
  const cursor = c.find(filter);
  const plan = await (sort ? cursor.sort(sort) : cursor).explain('executionStats');
  const { winningPlan } = plan['queryPlanner'] as { winningPlan: Document };
  const stats = plan['executionStats'] as Document;
  const names = [...JSON.stringify(winningPlan).matchAll(/"indexName":"([^"]+)"/g)].map(([, name]) => name);
  return {
    index: names[0],
    sorts: winningPlan['stage'] === 'SORT',
    keys: stats['totalKeysExamined'] as number,
    documents: stats['totalDocsExamined'] as number,
  };
}

describe('an index is used', () => {
  beforeEach(async () => {
    await c.createIndexes([
      { key: { shop: 1, at: -1 } },
      { key: { tags: 1 } },
      { key: { code: 1 }, unique: true, partialFilterExpression: { code: { $type: 'string' } } },
      { key: { 'items.sku': 1, 'items.n': 1 } },
    ]);
    await c.insertMany(
      Array.from({ length: 300 }, (_, i) => ({
        shop: i % 3,
        at: i,
        tags: [`t${i % 10}`, `u${i % 7}`],
        code: i % 2 ? `c${i}` : null,
        items: [
          { sku: `s${i}`, n: 1 },
          { sku: `s${i + 1}`, n: 2 },
        ],
      })),
    );
  });

  it.each<[string, Document, Document | undefined, string, number]>([
    [
      'equality on its first field and a range on its second one, in its own order',
      { shop: 1, at: { $gte: 100, $lt: 130 } },
      { at: -1 },
      'shop_1_at_-1',
      10,
    ],
    ['equality and a sort in the opposite direction', { shop: 1 }, { at: 1 }, 'shop_1_at_-1', 100],
    ['$in', { shop: { $in: [0, 2] }, at: 2 }, undefined, 'shop_1_at_-1', 1],
    ['an element of an array', { tags: 't3' }, undefined, 'tags_1', 30],
    ['a partial index whose filter the query implies', { code: 'c5' }, undefined, 'code_1', 1],
    ['a field of documents in an array', { 'items.sku': 's7' }, undefined, 'items.sku_1_items.n_1', 2],
    ['$elemMatch', { items: { $elemMatch: { sku: 's7', n: 2 } } }, undefined, 'items.sku_1_items.n_1', 2],
    ['every clause of an $or', { $or: [{ code: 'c5' }, { tags: 't3' }] }, undefined, 'code_1', 31],
    ['the clauses of an $or that limit more', { shop: 1, $or: [{ code: 'c7' }, { at: 9 }] }, undefined, 'code_1', 1],
    ['a field that limits more than the $or', { code: 'c7', $or: [{ tags: 't3' }, { at: 7 }] }, undefined, 'code_1', 1],
    ['_id', { _id: new ObjectId() }, undefined, '_id_', 0],
  ])('uses an index for %s', async (_, filter, sort, index, keys) => {
    const explained = await explain(filter, sort);
    expect(explained).toMatchObject({ index, keys, sorts: false });
    const all = await c.find().toArray();
    const found = await c.find(filter).toArray();
    const natural = await c.find(filter).hint({ $natural: 1 }).toArray();
    expect(found.map(({ _id }) => String(_id)).sort()).toEqual(natural.map(({ _id }) => String(_id)).sort());
    expect(all).toHaveLength(300);
  });

  it('skips a partial index that may lack documents that match', async () => {
    expect((await explain({ code: null })).index).toBeUndefined();
    expect(await c.countDocuments({ code: null })).toBe(150);
  });

  it('uses an index for the field of a $lookup', async () => {
    const shops = client.db('shop').collection(`${c.collectionName}-shops`);
    await shops.insertMany([{ _id: 1 }, { _id: 7 }] as unknown as Document[]);
    const joined = [
      { $lookup: { from: c.collectionName, localField: '_id', foreignField: 'shop', as: 'found' } },
      { $project: { count: { $size: '$found' } } },
    ];
    const stats = (await shops.aggregate(joined).explain('executionStats'))['executionStats'] as Document;
    // The two shops, and the 100 documents of the first one. The other has none.
    expect(stats['totalDocsExamined']).toBe(102);
    expect(await shops.aggregate(joined).toArray()).toEqual([
      { _id: 1, count: 100 },
      { _id: 7, count: 0 },
    ]);
  });

  it('uses an index for a leading $match and $sort of an aggregation, and for update, delete, count and distinct', async () => {
    const used = async (command: Document): Promise<unknown> =>
      JSON.stringify(await client.db('shop').command({ explain: command, verbosity: 'queryPlanner' }));
    const q = { shop: 1 };
    expect(
      await used({
        aggregate: c.collectionName,
        pipeline: [{ $match: q }, { $sort: { at: -1 } }, { $count: 'n' }],
        cursor: {},
      }),
    ).toContain('shop_1_at_-1');
    expect(await used({ update: c.collectionName, updates: [{ q, u: { $set: { x: 1 } } }] })).toContain('shop_1_at_-1');
    expect(await used({ delete: c.collectionName, deletes: [{ q, limit: 0 }] })).toContain('shop_1_at_-1');
    expect(await used({ count: c.collectionName, query: q })).toContain('shop_1_at_-1');
    expect(await used({ distinct: c.collectionName, key: 'at', query: q })).toContain('shop_1_at_-1');
  });
});

describe('a unique index', () => {
  it('rejects the second of two equal values with 11000, keyPattern and keyValue', async () => {
    await c.createIndexes([{ key: { shop: 1, code: 1 }, unique: true }]);
    await c.insertOne({ shop: 1, code: 'A' });
    await expect(c.insertOne({ shop: 1, code: 'A' })).rejects.toMatchObject({
      code: 11000,
      keyPattern: { shop: 1, code: 1 },
      keyValue: { shop: 1, code: 'A' },
    });
    await c.insertOne({ shop: 2, code: 'A' });
    await expect(c.updateOne({ shop: 2 }, { $set: { shop: 1 } })).rejects.toMatchObject({ code: 11000 });
    await expect(
      c.findOneAndUpdate({ shop: 3 }, { $set: { shop: 1, code: 'A' } }, { upsert: true }),
    ).rejects.toMatchObject({ code: 11000 });
    expect(await c.countDocuments()).toBe(2);
  });

  it('lets exactly one of many concurrent writers of a value succeed', async () => {
    await c.createIndexes([{ key: { code: 1 }, unique: true }]);
    const results = await Promise.allSettled(
      Array.from({ length: 100 }, (_, n) =>
        n % 2 ? c.insertOne({ code: 'A' }) : c.updateOne({ n }, { $set: { code: 'A' } }, { upsert: true }),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await c.countDocuments()).toBe(1);
  });

  it('rejects a unique index on a collection that has equal values', async () => {
    await c.insertMany([{ a: 1 }, { a: 1 }]);
    await expect(c.createIndexes([{ key: { a: 1 }, unique: true }])).rejects.toMatchObject({ code: 11000 });
    expect(await c.indexes()).toHaveLength(1);
  });

  it('treats equal numbers of different types as equal, and a missing value as null', async () => {
    await c.createIndexes([{ key: { a: 1 }, unique: true }]);
    await c.insertMany([{ a: 1.5 }, { a: 2 }, {}]);
    await expect(c.insertOne({ a: 2.0 })).rejects.toMatchObject({ code: 11000 });
    await expect(c.insertOne({ a: null })).rejects.toMatchObject({ code: 11000 });
  });

  it('continues an unordered bulk write after a duplicate in a unique index', async () => {
    await c.createIndexes([{ key: { a: 1 }, unique: true }]);
    await expect(
      c.insertMany([{ a: 1 }, { a: 1 }, { a: 2 }, { a: 2 }, { a: 3 }], { ordered: false }),
    ).rejects.toMatchObject({ code: 11000, result: { insertedCount: 3 } });
    expect(await c.distinct('a')).toEqual([1, 2, 3]);
  });
});

describe('an index definition', () => {
  it.each<[string, IndexDescription[], number]>([
    ['the same name for another key', [{ key: { b: 1 }, name: 'a_1' }], 86],
    ['the same key under another name', [{ key: { a: 1 }, name: 'other' }], 85],
    ['the same key and name with other options', [{ key: { a: 1 }, unique: true }], 85],
    ['a text index, which the store does not have', [{ key: { t: 'text' } }], 238],
    ['a filter together with sparse', [{ key: { t: 1 }, sparse: true, partialFilterExpression: { t: 1 } }], 67],
    ['a partial index of what is missing', [{ key: { t: 1 }, partialFilterExpression: { t: { $exists: false } } }], 67],
    ['a partial index of a pattern', [{ key: { t: 1 }, partialFilterExpression: { t: /x/ } }], 67],
    ['a partial index by $ne', [{ key: { t: 1 }, partialFilterExpression: { $and: [{ t: { $ne: 1 } }] } }], 67],
    ['a partial index by $expr', [{ key: { t: 1 }, partialFilterExpression: { $expr: true } }], 67],
    ['TTL on _id', [{ key: { _id: 1 }, expireAfterSeconds: 1 }], 197],
    ['unique on _id', [{ key: { _id: 1 }, unique: true }], 197],
  ])('rejects an index definition: %s', async (_, indexes, code) => {
    await c.createIndexes([{ key: { a: 1 } }]);
    await expect(c.createIndexes(indexes)).rejects.toMatchObject({ code });
  });

  it.each<[object, number]>([
    [{ nonsense: 1 }, 197],
    [{ unique: 'true' }, 14],
    [{ sparse: 'yes' }, 14],
    [{ partialFilterExpression: 1 }, 14],
  ])('rejects an index definition with %j', async (options, code) => {
    const indexes = [{ key: { t: 1 }, name: 't_1', ...options }];
    const command = { createIndexes: c.collectionName, indexes };
    await expect(client.db('shop').command(command)).rejects.toMatchObject({ code });
  });

  it('leaves out unknown fields of an index definition with ignoreUnknownIndexOptions, as mongorestore sends it, and rejects wrong ones', async () => {
    const create = (options: object): Promise<object> => {
      const indexes = [{ key: { t: 1 }, name: 't_1', ...options }];
      return client.db('shop').command({ createIndexes: c.collectionName, indexes, ignoreUnknownIndexOptions: true });
    };
    await expect(create({ unique: 'true' })).rejects.toMatchObject({ code: 14 });
    await create({ nonsense: 1, unique: true });
    expect((await c.indexes())[1]).toEqual({ v: 2, key: { t: 1 }, name: 't_1', unique: true });
  });

  it('accepts the definition of an index that exists, and dropIndexes removes it', async () => {
    await c.createIndexes([{ key: { a: 1 }, unique: true }]);
    await c.createIndexes([{ key: { a: 1 }, unique: true }]);
    expect((await c.indexes()).map(({ name }) => name)).toEqual(['_id_', 'a_1']);
    await c.dropIndex('a_1');
    await c.insertMany([{ a: 1 }, { a: 1 }]);
    await expect(c.dropIndex('a_1')).rejects.toMatchObject({ code: 27 });
  });
});

it('rejects sorting by two arrays (2), and accepts two paths through one array', async () => {
  await c.insertMany([
    {
      a: [1, 2],
      b: [3],
      o: [
        { x: 2, y: 1 },
        { x: 1, y: 9 },
      ],
    },
    { o: [{ x: 1, y: 5 }] },
  ]);
  const message = 'cannot sort with keys that are parallel arrays';
  for (const sorted of [c.find().sort({ a: 1, b: 1 }), c.aggregate([{ $sort: { a: 1, b: 1 } }])])
    await expect(sorted.toArray()).rejects.toMatchObject({ code: 2, message: expect.stringContaining(message) });
  const rows = await c.find({}, { projection: { _id: 0, 'o.y': 1 }, sort: { 'o.x': 1, 'o.y': 1 } }).toArray();
  expect(rows).toEqual([{ o: [{ y: 5 }] }, { o: [{ y: 1 }, { y: 9 }] }]);
});

it.each<[object, number]>([
  [{ verbosity: 'everything' }, 2],
  [{ verbosity: 1 }, 14],
  [{ writeConcern: { w: 1 } }, 72],
])('rejects explain with %j', async (options, code) => {
  const command = { explain: { find: c.collectionName }, ...options };
  await expect(client.db('shop').command(command)).rejects.toMatchObject({ code });
});

it('removes the documents that have expired by a TTL index, and no others', async () => {
  await c.createIndexes([{ key: { at: 1 }, expireAfterSeconds: 3600 }]);
  await c.insertMany([{ at: new Date(0), n: 1 }, { at: new Date(), n: 2 }, { n: 3 }, { at: 'text', n: 4 }]);
  while ((await c.countDocuments()) > 3) await client.db('shop').command({ ping: 1 });
  expect(await c.distinct('n')).toEqual([2, 3, 4]);
});
