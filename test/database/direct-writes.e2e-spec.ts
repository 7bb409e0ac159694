import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import mongoose, { type Connection, Schema, Types } from 'mongoose';
import { changeOne, insertAll } from '../../src/database/direct-writes.js';
import { type Transaction } from '../../src/database/transactions.js';
import { openTestStore, type TestStore } from '../support/store.js';
import { testDatabaseUri } from '../support/test-database.js';

interface Item {
  _id: Types.ObjectId;
  name: string;
  note?: string | undefined;
}

let store: TestStore;
let watched: Connection;
let items: mongoose.Model<Item>;
let commands: Record<string, unknown>[] = [];

beforeAll(async () => {
  const uri = testDatabaseUri();
  store = await openTestStore(uri);
  watched = await mongoose.createConnection(uri, { monitorCommands: true, autoIndex: false }).asPromise();
  watched.getClient().on('commandStarted', ({ command }) => commands.push(command as Record<string, unknown>));
  const schema = new Schema<Item>({ name: String, note: String }, { versionKey: false, collection: 'items' });
  items = watched.model<Item>('Item', schema);
});
beforeEach(async () => {
  await items.collection.deleteMany({});
  commands = [];
});
afterAll(async () => {
  await watched.close();
  await store.close();
});

/** Ends a transaction as a service does. */
const inTransaction = <Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> =>
  watched.withSession((session) => session.withTransaction(() => work(session)));
const rolledBack = (work: (transaction: Transaction) => Promise<unknown>): Promise<void> =>
  watched.withSession(async (session) => {
    session.startTransaction();
    await work(session);
    await session.abortTransaction();
  });
const stored = (): Promise<Item[]> => items.collection.find<Item>({}).sort({ name: 1 }).toArray();

describe('insertAll', () => {
  it('inserts records in one command, with their id or a new one, and leaves out what is undefined', async () => {
    const _id = new Types.ObjectId();
    await inTransaction((transaction) => insertAll<Item>(items, [{ name: 'b', note: undefined }], transaction));
    const two = [{ _id, name: 'a', note: 'x' }, { name: 'c' }];
    await inTransaction((transaction) => insertAll<Item>(items, two, transaction));
    const names = ['insert', 'commitTransaction', 'insert', 'commitTransaction'];
    expect(commands.map((command) => Object.keys(command)[0])).toEqual(names);
    const id = expect.any(Types.ObjectId);
    expect(await stored()).toEqual([
      { _id, name: 'a', note: 'x' },
      { _id: id, name: 'b' },
      { _id: id, name: 'c' },
    ]);
  });

  it('inserts nothing for an empty list, or when its transaction is rolled back', async () => {
    await inTransaction((transaction) => insertAll<Item>(items, [], transaction));
    expect(commands).toEqual([]);
    await rolledBack((transaction) => insertAll<Item>(items, [{ name: 'a' }], transaction));
    expect(await stored()).toEqual([]);
  });
});

describe('changeOne', () => {
  const [first, second] = ['a', 'b'].map((name): Item => ({ _id: new Types.ObjectId(), name, note: 'x' })) as [
    Item,
    Item,
  ];
  const change = (filter: object, fields: Partial<Item>): Promise<Item | null> =>
    inTransaction((transaction) => changeOne<Item>(items, filter, fields, { fields: { note: 0 }, transaction }));

  beforeEach(async () => {
    await items.collection.insertMany([first, second]);
    commands = [];
  });

  it('changes the record that a filter finds, and returns its fields afterwards', async () => {
    expect(await change({ _id: first._id }, { name: 'c', note: undefined })).toEqual({ _id: first._id, name: 'c' });
    expect(await stored()).toEqual([second, { ...first, name: 'c' }]);
    expect(await change({ _id: new Types.ObjectId() }, { name: 'd' })).toBeNull();
  });

  it('changes nothing when its transaction is rolled back', async () => {
    const options = { fields: { note: 0 } } as const;
    await rolledBack((transaction) =>
      changeOne<Item>(items, { name: 'a' }, { name: 'c' }, { ...options, transaction }),
    );
    expect(await stored()).toEqual([first, second]);
  });

  it('compares an operator that a client sent as a value', async () => {
    expect(await change({ name: JSON.parse('{"$ne":"z"}') as string }, { name: 'c' })).toBeNull();
    expect(await stored()).toEqual([first, second]);
  });

  it('has a time limit in the database', async () => {
    await change({ name: 'a' }, { name: 'c' });
    expect(commands[0]).toMatchObject({ maxTimeMS: expect.any(Number) });
  });
});
