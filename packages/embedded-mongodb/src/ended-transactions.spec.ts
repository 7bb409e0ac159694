import { describe, expect, it } from '@jest/globals';
import { type ClientSession, type Collection, type MongoClient, MongoServerError } from 'mongodb';
import { type Account, inSession } from '../test/support/accounts.js';
import { withClock } from '../test/support/clock.js';
import { writeWithoutSpace } from '../test/support/full-disk.js';
import { withNewCollections } from '../test/support/test-store.js';
import { type Operation } from './commands/operation.js';

// A transaction can end while one of its commands is running: it expires, another connection ends it, or a commit is lost.

let client: MongoClient;
let c: Collection<Account>;

withNewCollections<Account>(async (...made) => {
  [client, c] = made;
  await c.createIndexes([{ key: { tags: 1 } }]);
  await c.insertMany(Array.from({ length: 600 }, (_, _id) => ({ _id, v: 100, tags: [_id % 2] })));
});

/** The code of the error with which a command fails, if a driver then runs the whole transaction again. */
const failure = (command: Promise<unknown>): Promise<unknown> =>
  command.catch((error: unknown) =>
    error instanceof MongoServerError && error.hasErrorLabel('TransientTransactionError') ? error.code : error,
  );

const rollBack = ({ session }: Operation): void => session?.end();

describe('a command that is running when its transaction ends', () => {
  const change = { $inc: { v: 1 } };

  it.each<[string, (session: ClientSession) => Promise<unknown>]>([
    ['find', (session) => c.find({ v: 100 }, { session, batchSize: 1000 }).toArray()],
    ['find by an index', (session) => c.find({ tags: 1 }, { session, batchSize: 1000 }).toArray()],
    ['aggregate', (session) => c.aggregate([{ $group: { _id: '$v' } }], { session }).toArray()],
    ['updateMany', (session) => c.updateMany({ tags: 1 }, change, { session })],
    ['updateOne', (session) => c.updateOne({ v: 1 }, change, { session })],
    ['an upsert', (session) => c.updateOne({ v: 1 }, change, { session, upsert: true })],
    ['deleteMany', (session) => c.deleteMany({ v: 100 }, { session })],
  ])(
    'fails a command of an ended transaction with NoSuchTransaction (251), so that the transaction is run again: %s',
    async (_, run) => {
      await inSession(client, async (session) => {
        session.startTransaction();
        await c.findOne({}, { session });
        let code: unknown;
        await withClock(10, async () => (code = await failure(run(session))), rollBack);
        expect(code).toBe(251);
      });
      expect(await c.countDocuments({ v: 100 })).toBe(600);
    },
  );

  it('leaves no locks, also on keys that the transaction had written before', async () => {
    await inSession(client, async (session) => {
      session.startTransaction();
      await c.updateMany({}, change, { session });
      let code: unknown;
      await withClock(0, async () => (code = await failure(c.updateMany({}, change, { session }))), rollBack);
      expect(code).toBe(251);
    });
    expect(await c.updateMany({}, { $inc: { v: 10 } }, { maxTimeMS: 60_000 })).toMatchObject({ modifiedCount: 600 });
    expect(await c.countDocuments({ v: 110 })).toBe(600);
  });

  it('reports no writes that came too late for the commit', async () => {
    await inSession(client, async (session) => {
      session.startTransaction();
      await c.findOne({}, { session });
      let code: unknown;
      const commit = ({ engine, session: own }: Operation): void => {
        if (own) void engine.sessions.commit(own, own.number);
      };
      await withClock(0, async () => (code = await failure(c.updateMany({}, change, { session }))), commit);
      expect(code).toBe(251);
    });
    expect(await c.countDocuments({ v: 101 })).toBe(256); // the batch before the commit
  });
});

it('fails an update in a transaction (175) and changes nothing when the collection is dropped while it runs', async () => {
  await inSession(client, async (session) => {
    session.startTransaction();
    await c.findOne({}, { session });
    const update = (): Promise<unknown> => c.updateMany({ tags: 1 }, { $inc: { v: 1 } }, { session });
    await withClock(
      10,
      () => expect(update()).rejects.toMatchObject({ code: 175 }),
      () => c.drop(),
    );
  });
  expect(await c.countDocuments()).toBe(0);
});

describe('a commit that is lost on a full disk', () => {
  it('rolls back open transactions, so that none commits without its records in the indexes', async () => {
    let write = (): Promise<void> => Promise.reject(new Error('no command was seen'));
    await withClock(
      10,
      () => c.find({ v: 100 }).toArray(),
      ({ engine }) => (write = () => writeWithoutSpace(engine.disk)),
    );
    await inSession(client, async (session) => {
      session.startTransaction();
      await c.insertOne({ _id: 1000, v: 0, list: [1, 9] }, { session });
      await expect(write()).rejects.toMatchObject({ code: 14031 });
      expect(await failure(c.insertOne({ _id: 1001, v: 0 }, { session }))).toBe(251);
    });
    expect(await c.insertOne({ _id: 1000, v: 0 })).toMatchObject({ acknowledged: true });
  });
});
