import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type ChangeStream,
  type ChangeStreamDocument,
  type Collection,
  type Db,
  type Document,
  MongoClient,
  type MongoError,
  type Timestamp,
} from 'mongodb';
import { StoreServer } from '../server.js';

type Item = Document & { _id: number };

let path: string;
let store: StoreServer;
let client: MongoClient;
let db: Db;
let items: Collection<Item>;
const streams: ChangeStream[] = [];

async function open(port = 0): Promise<void> {
  store = await StoreServer.start({ path, port, testCommands: true });
}

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'store-'));
  await open();
  client = new MongoClient(store.uri);
  db = client.db('shop');
  items = db.collection('items');
  await items.insertOne({ _id: 0 });
});

afterEach(async () => {
  for (const stream of streams.splice(0)) await stream.close();
  await client.close();
  await store.close();
  await rm(path, { recursive: true, force: true });
});

const brief = { maxAwaitTimeMS: 20 };

/** A stream that the server knows: what is written after this is seen. */
async function watching(make: () => ChangeStream): Promise<ChangeStream> {
  const stream = make();
  streams.push(stream);
  expect(await stream.tryNext()).toBeNull();
  return stream;
}

async function next(stream: ChangeStream): Promise<Record<string, unknown>> {
  return { ...((await stream.next()) as ChangeStreamDocument) };
}

async function several(stream: ChangeStream, count: number): Promise<Record<string, unknown>[]> {
  const events = [];
  while (events.length < count) events.push(await next(stream));
  return events;
}

const code = async (stream: ChangeStream): Promise<unknown> =>
  stream.tryNext().then(
    () => 'no error',
    (error: unknown) => (error as MongoError).code,
  );

describe('a change stream', () => {
  it('tells of every kind of write, whole and in order', async () => {
    const stream = await watching(() => items.watch([], brief));
    await items.insertOne({ _id: 1, a: 1, list: [1], gone: true });
    await items.updateOne({ _id: 1 }, { $set: { a: 2 }, $unset: { gone: 1 }, $push: { list: 2 } as never });
    await items.replaceOne({ _id: 1 }, { b: 1 });
    await items.updateOne({ _id: 1 }, { $set: { b: 1 } }); // changes nothing
    await items.deleteOne({ _id: 1 });
    const common = {
      _id: { _data: expect.stringMatching(/^[0-9a-f]{28}$/) },
      clusterTime: expect.anything(),
      wallTime: expect.any(Date),
      ns: { db: 'shop', coll: 'items' },
      documentKey: { _id: 1 },
    };
    expect(await several(stream, 4)).toEqual([
      { ...common, operationType: 'insert', fullDocument: { _id: 1, a: 1, list: [1], gone: true } },
      {
        ...common,
        operationType: 'update',
        updateDescription: {
          updatedFields: { a: 2, 'list.1': 2 },
          removedFields: ['gone'],
          truncatedArrays: [],
        },
      },
      { ...common, operationType: 'replace', fullDocument: { _id: 1, b: 1 } },
      { ...common, operationType: 'delete' },
    ]);
  });

  it('names the fields that an update changed as the update names them', async () => {
    await items.insertOne({
      _id: 1,
      deep: { a: 1, b: 1 },
      list: [{ n: 1 }, { n: 2 }],
      set: [1],
      long: [1, 2, 3],
      old: 1,
    });
    const stream = await watching(() => items.watch([], brief));
    const update = async (change: Document | Document[], options = {}): Promise<unknown> => {
      await items.updateOne({ _id: 1 }, change, options);
      return (await next(stream))['updateDescription'];
    };
    const changed = (
      updatedFields: Document,
      removedFields: string[] = [],
      truncatedArrays: Document[] = [],
    ): unknown => ({
      updatedFields,
      removedFields,
      truncatedArrays,
    });
    expect(await update({ $set: { deep: { a: 1, b: 2 } } })).toEqual(changed({ deep: { a: 1, b: 2 } }));
    expect(await update({ $set: { 'deep.b': 3 } })).toEqual(changed({ 'deep.b': 3 }));
    expect(await update({ $inc: { 'list.$[e].n': 1 } }, { arrayFilters: [{ 'e.n': 2 }] })).toEqual(
      changed({ 'list.1.n': 3 }),
    );
    expect(await update({ $addToSet: { set: 2 } })).toEqual(changed({ set: [1, 2] }));
    expect(await update({ $pop: { long: 1 } })).toEqual(changed({ long: [1, 2] }));
    expect(await update({ $set: { 'x.y': 1 } })).toEqual(changed({ x: { y: 1 } }));
    expect(await update({ $rename: { old: 'young' } })).toEqual(changed({ young: 1 }, ['old']));
    expect(await update([{ $set: { long: [1], 'deep.a': 9 } }])).toEqual(
      changed({ 'deep.a': 9 }, [], [{ field: 'long', newSize: 1 }]),
    );
  });

  it('watches a collection, a database or everything, each only its own', async () => {
    const [one, database, all] = [
      await watching(() => items.watch([], brief)),
      await watching(() => db.watch([], brief)),
      await watching(() => client.watch([], brief)),
    ];
    await client.db('elsewhere').collection<Item>('other').insertOne({ _id: 1 });
    await db.collection<Item>('other').insertOne({ _id: 2 });
    await items.insertOne({ _id: 3 });
    const keys = async (stream: ChangeStream, count: number): Promise<unknown[]> =>
      (await several(stream, count)).map(({ documentKey }) => (documentKey as Item)._id);
    expect(await keys(all, 3)).toEqual([1, 2, 3]);
    expect(await keys(database, 2)).toEqual([2, 3]);
    expect(await keys(one, 1)).toEqual([3]);
  });

  it('shows what a transaction did at its commit, together and in order, and nothing of one that was aborted', async () => {
    const stream = await watching(() => items.watch([], brief));
    const session = client.startSession();
    session.startTransaction();
    await items.insertOne({ _id: 1 }, { session });
    await items.insertOne({ _id: 99 });
    await items.updateOne({ _id: 1 }, { $set: { a: 1 } }, { session });
    await session.commitTransaction();
    session.startTransaction();
    await items.insertOne({ _id: 2 }, { session });
    await session.abortTransaction();
    await items.insertOne({ _id: 3 });
    const events = await several(stream, 4);
    expect(events.map((event) => [event['operationType'], (event['documentKey'] as Item)._id])).toEqual([
      ['insert', 99],
      ['insert', 1],
      ['update', 1],
      ['insert', 3],
    ]);
    const [, first, second, last] = events;
    expect([first?.['txnNumber'], first?.['lsid']]).toEqual([1, expect.objectContaining({ id: session.id?.id })]);
    expect((first?.['clusterTime'] as Timestamp).equals(second?.['clusterTime'] as Timestamp)).toBe(true);
    expect([last?.['txnNumber'], last?.['lsid']]).toEqual([undefined, undefined]);
    await session.endSession();
  });

  it('sees all of a transaction that had begun before the stream', async () => {
    const session = client.startSession();
    session.startTransaction();
    await items.insertOne({ _id: 1 }, { session });
    const stream = await watching(() => items.watch([], brief));
    await session.commitTransaction();
    expect(await next(stream)).toMatchObject({ operationType: 'insert', documentKey: { _id: 1 } });
    await session.endSession();
  });

  it('gives the document as it is now on wish, and null where it is gone or no image is kept', async () => {
    await items.insertOne({ _id: 1, a: 0 });
    const lookup = await watching(() => items.watch([], { fullDocument: 'updateLookup', ...brief }));
    const images = await watching(() =>
      items.watch([], { fullDocument: 'whenAvailable', fullDocumentBeforeChange: 'whenAvailable', ...brief }),
    );
    const required = await watching(() => items.watch([], { fullDocument: 'required', ...brief }));
    await items.updateOne({ _id: 1 }, { $set: { a: 1 } });
    await items.updateOne({ _id: 1 }, { $set: { a: 2 } });
    expect((await next(lookup))['fullDocument']).toEqual({ _id: 1, a: 2 });
    await items.deleteOne({ _id: 1 });
    expect(await next(images)).toMatchObject({ fullDocument: null, fullDocumentBeforeChange: null });
    expect(await code(required)).toBe(47);
  });

  it('passes its events through further stages, and ends when one changes the resume token', async () => {
    const stream = await watching(() =>
      items.watch([{ $match: { 'fullDocument.big': true } }, { $project: { n: '$documentKey._id' } }], brief),
    );
    await items.insertMany([{ _id: 1 }, { _id: 2, big: true }]);
    expect(await next(stream)).toEqual({ _id: expect.anything(), n: 2 });
    const broken = await watching(() => items.watch([{ $project: { _id: 0 } }], brief));
    await items.insertOne({ _id: 3 });
    expect(await code(broken)).toBe(280);
  });

  it.each([
    ['a stage that is not allowed behind it', 20, () => items.watch([{ $group: { _id: null } }])],
    ['another $changeStream', 40602, () => items.watch([{ $changeStream: {} }])],
    ['an unknown option', 40415, () => items.watch([], { nothing: 1 } as never)],
    ['expanded events', 238, () => items.watch([], { showExpandedEvents: true })],
    ['an internal database', 73, () => client.db('admin').collection('x').watch()],
    ['a token of another kind', 260, () => items.watch([], { resumeAfter: { _data: 'abc' } })],
    ['a token that is none', 40647, () => items.watch([], { resumeAfter: {} })],
    ['a word that is none', 9, () => items.watch([], { fullDocument: 'sometimes' })],
  ] as [string, number, () => ChangeStream][])('refuses %s (%i)', async (_, expected, make) => {
    const stream = make();
    streams.push(stream);
    expect(await code(stream)).toBe(expected);
  });

  it('tells of a dropped collection or database and then ends', async () => {
    const [one, database] = [await watching(() => items.watch([], brief)), await watching(() => db.watch([], brief))];
    await db.dropDatabase();
    expect((await several(one, 2)).map(({ operationType, ns }) => [operationType, ns])).toEqual([
      ['drop', { db: 'shop', coll: 'items' }],
      ['invalidate', undefined],
    ]);
    expect((await several(database, 3)).map(({ operationType, ns }) => [operationType, ns])).toEqual([
      ['drop', { db: 'shop', coll: 'items' }],
      ['dropDatabase', { db: 'shop' }],
      ['invalidate', undefined],
    ]);
    expect(one.closed && database.closed).toBe(true);
  });
});

describe('resuming', () => {
  it('goes on behind a token, before or after an invalidate event as MongoDB does', async () => {
    const first = await watching(() => items.watch([], brief));
    await items.insertMany([{ _id: 1 }, { _id: 2 }]);
    const [{ _id: token } = {}] = await several(first, 2);
    const second = items.watch([], { resumeAfter: token });
    streams.push(second);
    expect(await next(second)).toMatchObject({ documentKey: { _id: 2 } });
    await items.drop();
    const [drop, invalidate] = await several(second, 2);
    const again = items.watch([], { resumeAfter: drop?.['_id'] });
    streams.push(again);
    expect(await next(again)).toMatchObject({ operationType: 'invalidate' });
    expect(await code(items.watch([], { resumeAfter: invalidate?.['_id'] }))).toBe(260);
    await items.insertOne({ _id: 5 });
    const last = items.watch([], { startAfter: invalidate?.['_id'] });
    streams.push(last);
    expect(await next(last)).toMatchObject({ operationType: 'insert', documentKey: { _id: 5 } });
  });

  it('starts at an operation time that lies within what is kept, else answers 286', async () => {
    const past = (await db.command({ ping: 1 }))['operationTime'] as Timestamp;
    const stream = await watching(() => items.watch([], brief));
    await items.insertOne({ _id: 1 });
    const { clusterTime } = await next(stream);
    await items.insertOne({ _id: 2 });
    const again = items.watch([], { startAtOperationTime: clusterTime as Timestamp });
    streams.push(again);
    expect((await several(again, 2)).map(({ documentKey }) => documentKey)).toEqual([{ _id: 1 }, { _id: 2 }]);
    expect(await code(items.watch([], { startAtOperationTime: past }))).toBe(286);
  });

  it('goes on by itself after a cut connection and after an error, without a gap and nothing twice', async () => {
    const stream = await watching(() => items.watch([], brief));
    for (const [n, fault] of [{ closeConnection: true }, { errorCode: 91 }].entries()) {
      await items.insertMany([{ _id: 10 * n + 1 }, { _id: 10 * n + 2 }]);
      expect(await next(stream)).toMatchObject({ documentKey: { _id: 10 * n + 1 } });
      await client.db('admin').command({
        configureFailPoint: 'failCommand',
        mode: { times: 1 },
        data: { failCommands: ['getMore'], ...fault },
      });
      expect(await next(stream)).toMatchObject({ documentKey: { _id: 10 * n + 2 } });
      await items.insertOne({ _id: 10 * n + 3 });
      expect(await next(stream)).toMatchObject({ documentKey: { _id: 10 * n + 3 } });
    }
  });

  it('is refused with 286 after a restart of the store, as changes are kept in memory', async () => {
    const stream = await watching(() => items.watch([], brief));
    await items.insertOne({ _id: 1 });
    const { _id: token } = await next(stream);
    const port = Number(/:(\d+)\//.exec(store.uri)?.[1]);
    await store.close();
    await open(port);
    await items.insertOne({ _id: 2 });
    expect(await code(items.watch([], { resumeAfter: token }))).toBe(286);
    expect(await code(stream)).toBe(286);
  });

  it('answers 286 to a stream that fell too far behind', async () => {
    const stream = await watching(() => items.watch([], brief));
    const text = 'x'.repeat(4 * 1024 * 1024);
    for (let _id = 1; _id <= 20; _id++) await items.insertOne({ _id, text });
    expect(await code(stream)).toBe(286);
  });
});

describe('waiting', () => {
  const start = async (): Promise<Document> =>
    db.command({ aggregate: 'items', pipeline: [{ $changeStream: {} }], cursor: {} });

  it('ends with the first event, blocks nobody meanwhile, and says where to resume', async () => {
    const { cursor } = await start();
    const waiting = db.command({ getMore: cursor.id, collection: 'items', maxTimeMS: 60_000 });
    await items.insertOne({ _id: 1 });
    const answer = (await waiting)['cursor'] as Document;
    expect(answer['nextBatch']).toHaveLength(1);
    expect(answer['postBatchResumeToken']).toEqual(answer['nextBatch'][0]._id);
    expect(cursor.postBatchResumeToken).not.toEqual(answer['postBatchResumeToken']);
  });

  it('ends empty when its time is over', async () => {
    const { cursor } = await start();
    const answer = await db.command({ getMore: cursor.id, collection: 'items', maxTimeMS: 20 });
    expect(answer['cursor']).toMatchObject({
      nextBatch: [],
      id: cursor.id,
      postBatchResumeToken: cursor.postBatchResumeToken,
    });
  });

  it('ends when the cursor is killed or the connection is closed', async () => {
    const { cursor } = await start();
    const waiting = db.command({ getMore: cursor.id, collection: 'items', maxTimeMS: 60_000 });
    const failed = expect(waiting).rejects.toMatchObject({ code: 237 });
    await db.command({ ping: 1 });
    await db.command({ killCursors: 'items', cursors: [cursor.id] });
    await failed;

    const other = new MongoClient(store.uri);
    const opened = await other
      .db('shop')
      .command({ aggregate: 'items', pipeline: [{ $changeStream: {} }], cursor: {} });
    const open = async (): Promise<number> =>
      Number((await db.command({ serverStatus: 1 }))['metrics'].cursor.open.total);
    expect(await open()).toBe(1);
    const cut = other.db('shop').command({ getMore: opened['cursor'].id, collection: 'items', maxTimeMS: 60_000 });
    const gone = expect(cut).rejects.toThrow();
    await other.db('shop').command({ ping: 1 }); // by another connection: the first one waits
    await other.close(true);
    await gone;
    while ((await open()) > 0) await new Promise((resolve) => setImmediate(resolve));
  });
});
