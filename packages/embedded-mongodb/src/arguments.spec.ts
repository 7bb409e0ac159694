import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ClientSession, type Document, Long, type MongoClient, MongoServerError } from 'mongodb';
import { find, insert, REJECTED_ARGUMENTS } from '../test/support/rejected-arguments.js';
import { openTestStore, type TestStore } from '../test/support/test-store.js';

// Arguments that MongoDB 8 rejects, or that this store does not have (238). Each must be an error here, too: otherwise code that
// works with this store would fail only in production.

let store: TestStore;
let client: MongoClient;

beforeAll(async () => {
  store = await openTestStore();
  ({ client } = store);
  await client
    .db('shop')
    .collection('c')
    .insertMany([{ a: 1, l: [1, 2] }, { a: 2 }]);
});
afterAll(() => store.close());

/** The code of the command's error, or of its first statement that failed. */
const codeOf = (command: Document, database = 'shop', session?: ClientSession): Promise<unknown> =>
  client
    .db(database)
    .command(command, session ? { session } : {})
    .then(
      ({ writeErrors = [] }) => (writeErrors as Document[])[0]?.['code'] as unknown,
      (error: unknown) => (error instanceof MongoServerError ? error.code : error),
    );

describe.each(Object.entries(REJECTED_ARGUMENTS))('%s', (_command, rows) => {
  it.each(rows)('rejects the argument %j with error %i', async (command, code) => {
    expect(await codeOf(command)).toBe(code);
  });
});

it('treats a null as an absent argument', async () => {
  expect(await codeOf(find({ filter: null, sort: null, limit: null }))).toBeUndefined();
});

describe('in a transaction', () => {
  it.each<[string, Document, string, number]>([
    ['a read concern after its first command', find({ readConcern: { level: 'local' } }), 'shop', 72],
    ['a write concern', insert({ writeConcern: { w: 1 } }), 'shop', 72],
    ['the database admin', find({}), 'admin', 263],
    ['count', { count: 'c' }, 'shop', 263],
  ])('rejects %s in a transaction', async (_title, command, database, code) => {
    await client.withSession(async (session) => {
      session.startTransaction();
      await client.db('shop').command(find({}), { session });
      const raw = {
        ...command,
        lsid: session.id,
        txnNumber: Long.fromNumber(session.serverSession.txnNumber),
        autocommit: false,
      };
      expect(await codeOf(raw, database)).toBe(code);
    });
  });

  it('rejects a read concern in a transaction other than local, majority and snapshot', async () => {
    await client.withSession(async (session) => {
      session.startTransaction({ readConcern: { level: 'linearizable' } });
      expect(await codeOf(find({}), 'shop', session)).toBe(72);
    });
  });
});
