import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { type mongo } from 'mongoose';
import { underMigrationLock } from '../../src/infrastructure/database/migrations/migration-lock.js';
import { updateInBatches } from '../../src/infrastructure/database/migrations/update-in-batches.js';
import { SECOND_MS } from '../../src/lib/time/durations.js';
import { aroundBatches } from '../support/batches.js';
import { eventually, settled } from '../support/eventually.js';
import { openTestStore, type TestStore } from '../support/store.js';

let store: TestStore;
let locks: mongo.Collection<{ readonly _id: 'lock'; readonly holder: string; readonly renewals: number }>;
/** The clock by which a process measures how long a lock was not renewed. */
let nowMs: number;
let hasBegun: boolean;

beforeAll(async () => {
  store = await openTestStore(undefined, { watchCommands: true });
  locks = store.connection.getClient().db(store.connection.name).collection('migration_lock');
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => store.close());

/** Lets time pass until the waiting process has read the lock once more, or has begun its work too early. */
const passUntilRead = async (ms: number): Promise<void> => {
  nowMs += ms;
  const reads = (): number => store.commands.filter(({ find }) => find === 'migration_lock').length;
  const before = reads();
  // The second read begins after the first one was compared.
  await eventually(() => Promise.resolve(hasBegun || reads() >= before + 2));
};

it('waits for a holder that renews its lock, however long it takes, and takes over from one that has stopped', async () => {
  nowMs = performance.now();
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  await locks.insertOne({ _id: 'lock', holder: 'another process', renewals: 0 });
  hasBegun = false;
  const { db } = store.connection;
  if (db === undefined) throw new Error('the store is not connected');
  const done = underMigrationLock(
    db,
    () => undefined,
    () => Promise.resolve((hasBegun = true)),
  );
  for (let renewals = 1; renewals <= 3; renewals++) {
    await locks.updateOne({ _id: 'lock' }, { $inc: { renewals: 1 } });
    await passUntilRead(10 * SECOND_MS);
    expect(hasBegun).toBe(false);
  }
  nowMs += 20 * SECOND_MS;
  expect(await settled(done, 'the end of the work under the lock')).toBe(true);
  expect(await locks.countDocuments()).toBe(0);
});

it.each(aroundBatches(500))(
  'changes %i documents in batches, each once, but none that another process has changed since it was read',
  async (count) => {
    const database = store.connection.getClient().db(store.connection.name);
    const documents = database.collection<{ n: number }>('migrated');
    await documents.deleteMany({});
    if (count > 0) await documents.insertMany(Array.from({ length: count }, () => ({ n: 0 })));
    const updateMany = jest.spyOn(Object.getPrototypeOf(documents) as typeof documents, 'updateMany');
    updateMany.mockImplementationOnce(async (...update) => {
      await documents.updateOne({ n: 0 }, { $set: { n: 5 } });
      return documents.updateMany(...update);
    });
    const lines: string[] = [];
    const context = { database, signal: new AbortController().signal, report: (line: string) => void lines.push(line) };
    await updateInBatches(context, 'migrated', { n: 0 }, [{ $set: { n: { $add: ['$n', 1] } } }]);
    const changed = Math.max(0, count - 1);
    expect(await documents.countDocuments({ n: 1 })).toBe(changed);
    expect(await documents.countDocuments({ n: 5 })).toBe(count - changed);
    expect(lines).toEqual([`migrated: ${changed} documents changed`]);
  },
);
