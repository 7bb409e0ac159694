import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import mongoose, { type Connection, Schema, Types } from 'mongoose';
import { type Join, readMany, readOne, readOneJoined } from '../../src/database/direct-reads.js';
import { openTestStore, type TestStore } from '../support/store.js';
import { testDatabaseUri } from '../support/test-database.js';

interface Item {
  _id: Types.ObjectId;
  name: string;
  rank: number;
}

const [first, second, third] = ['a', 'b', 'c'].map((name, rank): Item => ({
  _id: new Types.ObjectId(),
  name,
  rank,
})) as [Item, Item, Item];

/** Joins an item to itself. */
const ITSELF: Join<Item> = { from: 'items', localField: '_id', foreignField: '_id', ids: {}, fields: { name: 1 } };

let store: TestStore;
let watched: Connection;
let items: mongoose.Model<Item>;
let commands: Record<string, unknown>[] = [];

beforeAll(async () => {
  const uri = testDatabaseUri();
  store = await openTestStore(uri);
  watched = await mongoose.createConnection(uri, { monitorCommands: true, autoIndex: false }).asPromise();
  watched.getClient().on('commandStarted', ({ command }) => commands.push(command as Record<string, unknown>));
  const schema = new Schema<Item>({ name: String, rank: Number }, { versionKey: false, collection: 'items' });
  items = watched.model<Item>('Item', schema);
});
beforeEach(async () => {
  await items.collection.deleteMany({});
  await items.collection.insertMany([second, third, first]);
  commands = [];
});
afterAll(async () => {
  await watched.close();
  await store.close();
});

it('reads the first record in an order, and of it only the fields that are named', async () => {
  const reading = { fields: { rank: 1 }, sort: { rank: -1 } } as const;
  expect(await readOne<Item>(items, {}, reading)).toEqual({ _id: third._id, rank: 2 });
  expect(await readOne<Item>(items, { name: 'z' })).toBeNull();
});

it('reads several records in an order, up to a number', async () => {
  expect(await readMany<Item>(items, {}, { sort: { rank: 1 }, limit: 2 })).toEqual([first, second]);
  expect(await readMany<Item>(items, { _id: second._id })).toEqual([second]);
});

describe('readOneJoined', () => {
  const owner = new Types.ObjectId();
  const [own, unowned] = [
    { _id: new Types.ObjectId(), item: 'a', owner },
    { _id: new Types.ObjectId(), item: 'a', owner: new Types.ObjectId() },
  ];
  const join: Join<typeof own> = {
    from: 'parts',
    localField: 'name',
    foreignField: 'item',
    ids: { owner: owner.toHexString() },
    fields: { item: 1 },
  };

  beforeEach(async () => {
    const parts = watched.collection('parts');
    await parts.deleteMany({});
    await parts.insertMany([own, unowned, { ...own, _id: new Types.ObjectId(), item: 'b' }]);
    commands = [];
  });

  it('reads a record with those of another collection that belong to it and meet the conditions, in one command', async () => {
    const part = { _id: own._id, item: 'a' };
    expect(await readOneJoined(items, { name: 'a' }, join)).toEqual({ record: first, joined: [part] });
    expect(commands.map(({ aggregate }) => aggregate)).toEqual(['items']);
    const named = await readOneJoined(items, { name: 'a' }, join, { fields: { name: 1 } });
    expect(named).toEqual({ record: { _id: first._id, name: 'a' }, joined: [part] });
    expect(await readOneJoined(items, { name: 'c' }, join)).toEqual({ record: third, joined: [] });
    expect(await readOneJoined(items, { name: 'z' }, join)).toBeNull();
  });

  it('joins nothing without a join', async () => {
    const fields = { fields: { rank: 1 } } as const;
    expect(await readOneJoined(items, { name: 'a' }, null, fields)).toEqual({
      record: { _id: first._id, rank: 0 },
      joined: [],
    });
    expect(await readOneJoined(items, { name: 'z' }, null)).toBeNull();
  });
});

it('compares an operator that a client sent as a value', async () => {
  const sent = { name: JSON.parse('{"$ne":"z"}') as string };
  expect(await readOne<Item>(items, sent)).toBeNull();
  expect(await readOneJoined(items, sent, ITSELF)).toBeNull();
  expect(await readMany<Item>(items, sent)).toEqual([]);
});

it('gives each read a time limit in the database', async () => {
  await readOne<Item>(items, {});
  await readMany<Item>(items, {});
  await readOneJoined(items, {}, ITSELF);
  expect(commands.map(({ maxTimeMS }) => maxTimeMS)).toEqual([60_000, 60_000, 60_000]);
});

it('sees what its transaction wrote', async () => {
  await watched.transaction(async (transaction) => {
    await items.collection.deleteOne({ _id: first._id }, { session: transaction });
    expect(await readOne<Item>(items, { _id: first._id }, { transaction })).toBeNull();
    expect(await readMany<Item>(items, {}, { transaction, sort: { rank: 1 } })).toEqual([second, third]);
    expect(await readOne<Item>(items, { _id: first._id })).toEqual(first);
  });
});

describe('The same read, wanted several times at once,', () => {
  const reads = (): string[] => commands.map((command) => Object.keys(command)[0] ?? '');

  it('is made once now and once for all who came meanwhile, for each way of reading', async () => {
    const five = <Result>(read: () => Promise<Result>): Promise<Result[]> =>
      Promise.all(Array.from({ length: 5 }, read));
    expect(await five(() => readOne<Item>(items, { name: 'a' }))).toEqual([first, first, first, first, first]);
    expect(reads()).toEqual(['find', 'find']);
    const listed = await five(() => readMany<Item>(items, {}, { sort: { rank: 1 } }));
    expect(listed.map((list) => list.length)).toEqual([3, 3, 3, 3, 3]);
    await five(() => readOneJoined(items, { name: 'a' }, ITSELF));
    expect(reads()).toEqual(['find', 'find', 'find', 'find', 'aggregate', 'aggregate']);
  });

  it('is another read when anything differs: a value, its type, a field, the order, the number, the collection', async () => {
    const others = watched.model<Item>(
      'Other',
      new Schema<Item>({ name: String }, { collection: 'others', autoCreate: false }),
    );
    const id = first._id.toHexString();
    const wanted = (): Promise<unknown>[] => [
      readOne<Item>(items, { name: 'a' }),
      readOne<Item>(items, { name: 'b' }),
      readOne<Item>(items, { _id: first._id }),
      readOne(items, { _id: id } as unknown as Pick<Item, '_id'>),
      readOne<Item>(items, { name: 'a' }, { fields: { rank: 1 } }),
      readOne<Item>(items, {}, { sort: { rank: 1 } }),
      readOne<Item>(items, {}, { sort: { rank: -1 } }),
      readOne<Item>(others, { name: 'a' }),
      readMany<Item>(items, { name: 'a' }),
      readMany<Item>(items, {}, { limit: 1, sort: { rank: 1 } }),
    ];
    const part = { _id: first._id, rank: 0 };
    const expected = [first, second, first, null, part, first, third, null, [first], [first]];
    // Of three that are the same, the first is made at once, and the others share one.
    const found = await Promise.all([...wanted(), ...wanted(), ...wanted()]);
    expect(found).toEqual([...expected, ...expected, ...expected]);
    expect(commands).toHaveLength(2 * expected.length);
  });

  it('is never that of another transaction', async () => {
    await watched.transaction(async (transaction) => {
      await items.collection.updateOne({ _id: first._id }, { $set: { rank: 7 } }, { session: transaction });
      const outside = (): Promise<Item | null> => readOne<Item>(items, { _id: first._id });
      const inside = (): Promise<Item | null> => readOne<Item>(items, { _id: first._id }, { transaction });
      const found = await Promise.all([outside(), inside(), outside(), outside()]);
      expect(found.map((item) => item?.rank)).toEqual([0, 7, 0, 0]);
    });
  });

  it('sees what was written before it was wanted', async () => {
    const seen = Array.from({ length: 50 }, async (_, rank) => {
      await items.collection.updateOne({ _id: first._id }, { $max: { rank } });
      return ((await readOne<Item>(items, { _id: first._id }))?.rank ?? -1) >= rank;
    });
    expect(await Promise.all(seen)).not.toContain(false);
  });
});
