import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Document, MongoClient, MongoServerError } from 'mongodb';
import { openTestStore, type TestStore } from '../test/support/test-store.js';

// Features of MongoDB that this store does not have. Each must be rejected by its name and with MongoDB's own code. Without a
// rejection the result would only be similar to that of MongoDB.

let store: TestStore;
let client: MongoClient;

beforeAll(async () => {
  store = await openTestStore();
  ({ client } = store);
  await client.db('shop').collection('c').insertOne({ a: 1 });
});
afterAll(() => store.close());

const rejection = (command: Document, database = 'shop'): Promise<Document> =>
  client
    .db(database)
    .command(command)
    .then(
      () => ({ accepted: command }),
      (error: unknown) =>
        error instanceof MongoServerError ? { code: error.code, message: error.message } : { error },
    );
const aggregate = (...pipeline: Document[]): Document => ({ aggregate: 'c', pipeline, cursor: {} });
const named = (code: number, name: string): Document => ({
  code,
  message: expect.stringContaining(name),
});

describe('what the store does not have is rejected by name and with the code of MongoDB', () => {
  it.each([
    'bulkWrite',
    'mapReduce',
    'collMod',
    'renameCollection',
    'validate',
    'collStats',
    'compact',
    'createUser',
    'fsync',
  ])('rejects the command %s', async (name) => {
    expect(await rejection({ [name]: 1 }, 'admin')).toEqual(named(59, `'${name}'`));
  });

  it.each([
    ...[
      '$changeStream',
      '$out',
      '$merge',
      '$unionWith',
      '$documents',
      '$facet',
      '$sortByCount',
      '$bucket',
      '$bucketAuto',
      '$sample',
    ],
    ...['$geoNear', '$graphLookup', '$indexStats', '$listLocalSessions', '$redact', '$search', '$setWindowFields'],
  ])('rejects the stage %s', async (name) => {
    expect(await rejection(aggregate({ [name]: {} }))).toEqual(named(40324, `'${name}'`));
  });

  it.each([
    ['let', 238],
    ['pipeline', 238],
    ['nonsense', 9],
  ])('rejects %s of $lookup', async (name, code) => {
    const join = { from: 'c', localField: 'a', foreignField: 'a', as: 'all', [name]: [] };
    expect(await rejection(aggregate({ $lookup: join }))).toEqual(named(code, name));
  });

  it('rejects includeArrayIndex of $unwind', async () => {
    const unwind = { path: '$a', includeArrayIndex: 'at' };
    expect(await rejection(aggregate({ $unwind: unwind }))).toEqual(named(28811, 'includeArrayIndex'));
  });

  it.each([
    ...['$switch', '$let', '$reduce', '$zip', '$function', '$rand', '$getField', '$setField', '$unsetField'],
    ...['$round', '$trunc', '$log', '$log10', '$sin', '$bitAnd', '$convert', '$toInt', '$toLong', '$toDouble'],
    ...[
      '$toDate',
      '$toDecimal',
      '$toString',
      '$dateToString',
      '$dateFromString',
      '$dateTrunc',
      '$dateAdd',
      '$dateSubtract',
    ],
    ...['$dateDiff', '$dateToParts', '$dateFromParts', '$trim', '$ltrim', '$rtrim', '$replaceOne', '$replaceAll'],
    ...['$regexMatch', '$regexFind', '$indexOfBytes', '$indexOfCP', '$indexOfArray', '$substr', '$substrBytes'],
    ...['$substrCP', '$strcasecmp', '$arrayToObject', '$sortArray', '$firstN', '$stdDevPop', '$meta'],
    ...['$abs', '$sqrt', '$exp', '$ln', '$pow', '$cmp', '$const', '$range', '$reverseArray', '$objectToArray'],
    ...['$setUnion', '$setIntersection', '$setDifference', '$setEquals', '$setIsSubset', '$anyElementTrue'],
    ...['$allElementsTrue', '$strLenBytes', '$strLenCP', '$split', '$toLower', '$toUpper', '$toBool', '$isNumber'],
    ...['$minute', '$second', '$millisecond', '$dayOfYear', '$dayOfWeek', '$week', '$isoWeek', '$isoWeekYear'],
    ...['$isoDayOfWeek', '$ceil', '$floor', '$toObjectId'],
  ])('rejects the expression %s', async (name) => {
    expect(await rejection(aggregate({ $project: { made: { [name]: 1 } } }))).toEqual(named(168, `'${name}'`));
    expect(await rejection({ find: 'c', filter: { $expr: { [name]: 1 } } })).toEqual(named(168, `'${name}'`));
  });

  it.each(['$stdDevPop', '$stdDevSamp', '$mergeObjects', '$firstN', '$top', '$median', '$accumulator'])(
    'rejects the accumulator %s',
    async (name) => {
      expect(await rejection(aggregate({ $group: { _id: null, made: { [name]: '$a' } } }))).toEqual(
        named(15952, `'${name}'`),
      );
    },
  );

  it.each(['$mod', '$bitsAllSet', '$bitsAllClear', '$bitsAnySet', '$bitsAnyClear', '$near', '$geoWithin', '$text'])(
    'rejects the query operator %s',
    async (name) => {
      expect(await rejection({ find: 'c', filter: { a: { [name]: 1 } } })).toEqual(named(2, name));
    },
  );

  it.each(['$where', '$text', '$jsonSchema', '$sampleRate'])(
    'rejects the top level query operator %s',
    async (name) => {
      expect(await rejection({ find: 'c', filter: { [name]: 1 } })).toEqual(named(2, name));
    },
  );

  it.each(['$rename', '$bit', '$currentDate', '$mul', '$pop', '$pullAll'])(
    'rejects the update modifier %s',
    async (name) => {
      expect(await rejection({ findAndModify: 'c', update: { [name]: { a: 'b' } } })).toEqual(named(9, name));
    },
  );

  it('rejects $sort of $push', async () => {
    const update = { $push: { list: { $each: [1], $sort: 1 } } };
    expect(await rejection({ findAndModify: 'c', update })).toEqual(named(2, '$sort'));
  });

  it.each(['capped', 'viewOn', 'timeseries', 'validator', 'clusteredIndex', 'expireAfterSeconds', 'size'])(
    'rejects the option %s of create',
    async (name) => {
      expect(await rejection({ create: 'd', [name]: 1 })).toEqual(named(238, `'${name}'`));
    },
  );

  it.each<[what: string, changes: Document]>([
    ['another key', { key: { _id: -1 } }],
    ['a key of two fields', { key: { _id: 1, a: 1 } }],
    ['another version', { v: 1 }],
    ['another name', { name: 'id' }],
    ['an option of other indexes', { unique: true }],
    ['a name space that is no string', { ns: 1 }],
  ])('rejects an index on _id of create with %s', async (_, changes) => {
    const idIndex = { v: 2, key: { _id: 1 }, name: '_id_', ...changes };
    expect(await rejection({ create: 'd', idIndex })).toEqual(named(238, "'idIndex'"));
  });

  it.each([
    ['an empty document', {}, 238],
    ['a number', 1, 14],
  ])('rejects %s as the index on _id of create', async (_, idIndex, code) => {
    expect(await rejection({ create: 'd', idIndex })).toEqual(named(code, 'idIndex'));
  });

  it('rejects snapshot reads outside of a transaction', async () => {
    const read = { find: 'c', readConcern: { level: 'snapshot' } };
    expect(await rejection(read)).toEqual(named(238, "'snapshot'"));
  });

  it.each(['ping', 'find', 'count', 'distinct', 'listIndexes', 'listCollections', 'dbStats', 'getMore', 'hello'])(
    'rejects a write concern of %s, which writes nothing',
    async (name) => {
      expect(await rejection({ [name]: 'c', writeConcern: { w: 1 } })).toEqual(named(72, 'writeConcern'));
    },
  );

  it.each<[what: string, projection: Document, code: number, name: string]>([
    ['$elemMatch', { a: { $elemMatch: { c: 1 } } }, 168, '$elemMatch'],
    ['the first elements ($slice with a number)', { a: { $slice: 2 } }, 16020, '$slice'],
    ['some elements ($slice with two numbers)', { a: { $slice: [1, 2] } }, 28724, '$slice'],
    ['the element that matches (a.$)', { 'a.$': 1 }, 16410, '$'],
  ])('rejects a projection by %s', async (_, projection, code, name) => {
    expect(await rejection({ find: 'c', filter: { a: 1 }, projection })).toEqual(named(code, name));
  });

  it('rejects a sort by $natural', async () => {
    expect(await rejection({ find: 'c', sort: { $natural: 1 } })).toEqual(named(238, '$natural'));
  });

  it('rejects a change stream of the driver', async () => {
    const stream = client.db('shop').collection('c').watch();
    await expect(stream.next()).rejects.toMatchObject(named(40324, "'$changeStream'"));
    await stream.close();
  });

  it('rejects the bulk write of a client, which hello does not offer', async () => {
    const write = client.bulkWrite([{ name: 'insertOne', namespace: 'shop.c', document: { a: 1 } }]);
    await expect(write).rejects.toMatchObject({ cause: named(59, "'bulkWrite'") });
    const { maxWireVersion } = await client.db('admin').command({ hello: 1 });
    expect(maxWireVersion).toBeLessThan(25);
  });
});

describe('mongorestore', () => {
  it.each([{ ns: 'shop.restored' }, { v: 2 }, { v: 2, ns: 'shop.restored' }])(
    'creates a collection with the description of its index on _id and %j',
    async (more) => {
      const db = client.db('shop');
      const idIndex = { key: { _id: 1 }, name: '_id_', ...more };
      expect(await db.command({ create: 'restored', idIndex })).toMatchObject({ ok: 1 });
      expect(await db.collection('restored').indexes()).toEqual([{ v: 2, key: { _id: 1 }, name: '_id_' }]);
      await db.dropCollection('restored');
    },
  );
});

describe('a stock driver', () => {
  it('lets a driver advance the cluster time of a session to that of another one', async () => {
    const other = new MongoClient(store.uri);
    try {
      const [first, second] = [client.startSession(), other.startSession()];
      await client.db('shop').command({ ping: 1 }, { session: first });
      const time = first.clusterTime;
      if (!time) throw new Error('the reply has no cluster time');
      second.advanceClusterTime(time);
      expect(second.clusterTime).toEqual(time);
      expect(time.signature?.hash.length()).toBe(20);
      expect(String(time.signature?.keyId)).toBe('0');
      expect(await other.db('shop').command({ ping: 1 }, { session: second })).toMatchObject({ ok: 1 });
      await Promise.all([first.endSession(), second.endSession()]);
    } finally {
      await other.close();
    }
  });

  it('lets a driver create a collection a second time, but not in a transaction', async () => {
    const db = client.db('shop');
    await db.command({ create: 'twice' });
    expect(await db.command({ create: 'twice', capped: false })).toMatchObject({ ok: 1 });
    await client.withSession(async (session) => {
      session.startTransaction();
      await expect(db.command({ create: 'twice' }, { session })).rejects.toMatchObject({ code: 48 });
    });
  });
});
