import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { serialize } from 'bson';
import { type mongo } from 'mongoose';
import { type Dump, readDump, writeDump } from '../../src/infrastructure/database/transfer/dump-directory.js';
import { restoreDatabase } from '../../src/infrastructure/database/transfer/restore-database.js';
import { markUnfinished, unfinishedCommand } from '../../src/infrastructure/database/transfer/unfinished-transfer.js';
import { openTestStore, type TestStore } from '../support/store.js';

const INDEXES = [
  { key: { _id: 1 }, name: '_id_' },
  { key: { expiresAt: 1 }, name: 'expiresAt_1', expireAfterSeconds: 3600 },
];
const DOCUMENTS = [1, 2, 3].map((_id) => Buffer.from(serialize({ _id, expiresAt: new Date('2099-01-01') })));

let folder: string;
let store: TestStore;
let database: mongo.Db;
let dump: Dump;

// eslint-disable-next-line @typescript-eslint/require-await -- the documents of a database come later
async function* documents(): AsyncGenerator<readonly Buffer[]> {
  yield DOCUMENTS;
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shop-platform-restore-'));
  await writeDump(join(folder, 'dump'), 'shop', async (write) => ({
    createdAt: '2026-11-26T12:00:00.000Z',
    collections: { sessions: await write({ name: 'sessions', options: {}, indexes: INDEXES }, documents()) },
  }));
  dump = await readDump(join(folder, 'dump'));
  store = await openTestStore();
  database = store.connection.getClient().db(store.connection.name);
  await database.dropCollection('existing');
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

const restore = (): Promise<void> => restoreDatabase(database, dump, () => undefined);
const ids = async (): Promise<unknown[]> =>
  (await database.collection('sessions').find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id as unknown);

describe('A restore', () => {
  it('fills an empty database with documents and indexes, and leaves no mark', async () => {
    await restore();
    expect(await ids()).toEqual([1, 2, 3]);
    expect(await database.collection('sessions').indexes()).toEqual(
      INDEXES.map((index) => expect.objectContaining(index)),
    );
    expect(await database.listCollections({}, { nameOnly: true }).toArray()).toEqual([
      expect.objectContaining({ name: 'sessions' }),
    ]);
  });

  it('begins anew after one that was ended', async () => {
    await markUnfinished(database, 'restore');
    await database.collection<{ _id: number }>('sessions').insertMany([{ _id: 1 }, { _id: 9 }]);
    await database.collection('leftover').insertOne({});
    await restore();
    expect(await ids()).toEqual([1, 2, 3]);
    expect(await database.collection('leftover').countDocuments()).toBe(0);
    expect(await unfinishedCommand(database)).toBeNull();
  });

  it('is marked as unfinished while documents are missing', async () => {
    await rm(join(folder, 'dump', 'shop', 'sessions.bson'));
    await expect(restore()).rejects.toThrow('ENOENT');
    expect(await unfinishedCommand(database)).toBe('restore');
  });

  it('changes nothing in a database that has something, also in an unfinished copy', async () => {
    await database.collection<{ _id: number }>('sessions').insertOne({ _id: 9 });
    await expect(restore()).rejects.toThrow('The database is not empty (1 collections)');
    await markUnfinished(database, 'copy');
    await expect(restore()).rejects.toThrow('The database is not empty (1 collections)');
    expect(await ids()).toEqual([9]);
  });
});
