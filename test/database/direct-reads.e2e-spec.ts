import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Model, Schema, trusted, Types } from 'mongoose';
import { type Join, readFirst, readMany, readOne, readOneJoined } from '../../src/database/direct-reads.js';
import { openTestStore, type TestStore } from '../support/store.js';

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
const itself = ({ _id }: Item): Join<Item> => {
  return {
    from: 'items',
    localField: '_id',
    foreignField: '_id',
    ids: { _id: _id.toHexString() },
    fields: { name: 1 },
  };
};

let store: TestStore;
let items: Model<Item>;
let commands: TestStore['commands'];

beforeAll(async () => {
  store = await openTestStore(undefined, { watchCommands: true });
  ({ commands } = store);
  const schema = new Schema<Item>({ name: String, rank: Number }, { versionKey: false, collection: 'items' });
  items = store.connection.model<Item>('Item', schema);
});
beforeEach(async () => {
  await items.collection.deleteMany({});
  await items.collection.insertMany([second, third, first]);
  commands.length = 0;
});
afterAll(() => store.close());

it('reads the only record with some values, and of it only the fields that are named and sought', async () => {
  expect(await readOne<Item>(items, { _id: third._id }, { fields: { rank: 1 } })).toEqual({ _id: third._id, rank: 2 });
  expect(await readOne<Item>(items, { name: 'c' }, { fields: { rank: 1 } })).toEqual(third);
  expect(await readOne<Item>(items, { name: 'z' })).toBeNull();
});

it('reads the first record in an order', async () => {
  const reading = { fields: { rank: 1 }, sort: { rank: -1 } } as const;
  expect(await readFirst<Item>(items, {}, reading)).toEqual({ _id: third._id, rank: 2 });
  expect(await readFirst<Item>(items, { name: 'z' })).toBeNull();
});

it('rejects a read that leaves out a field by which it seeks', async () => {
  await expect(readOne<Item>(items, { name: 'a' }, { fields: { name: 0 } })).rejects.toThrow('name');
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
    const parts = store.connection.collection('parts');
    await parts.deleteMany({});
    await parts.insertMany([own, unowned, { ...own, _id: new Types.ObjectId(), item: 'b' }]);
    commands.length = 0;
  });

  it('reads a record with those of another collection that belong to it and meet the conditions, in one command', async () => {
    const part = { _id: own._id, item: 'a', owner };
    expect(await readOneJoined(items, { name: 'a' }, join)).toEqual({ record: first, joined: [part] });
    expect(commands.map(({ aggregate }) => aggregate)).toEqual(['items']);
    const named = await readOneJoined(items, { name: 'a' }, join, { fields: { name: 1 } });
    expect(named).toEqual({ record: { _id: first._id, name: 'a' }, joined: [part] });
    expect(await readOneJoined(items, { name: 'c' }, join)).toEqual({ record: third, joined: [] });
    expect(await readOneJoined(items, { name: 'z' }, join)).toBeNull();
  });

  it('joins nothing without a join', async () => {
    const found = await readOneJoined(items, { _id: first._id }, null, { fields: { rank: 1 } });
    expect(found).toEqual({ record: { _id: first._id, rank: 0 }, joined: [] });
    expect(await readOneJoined(items, { name: 'z' }, null)).toBeNull();
  });
});

it('compares an operator that a client sent as a value', async () => {
  const sent = { name: JSON.parse('{"$ne":"z"}') as string };
  expect(await readOne<Item>(items, sent)).toBeNull();
  await expect(readOneJoined(items, sent, itself(first))).rejects.toThrow('only ask for values');
  expect(await readMany<Item>(items, sent)).toEqual([]);
});

it('gives each read a time limit in the database', async () => {
  await readOne<Item>(items, { name: 'a' });
  await readFirst<Item>(items, {});
  await readMany<Item>(items, {});
  await readOneJoined(items, { name: 'a' }, itself(first));
  expect(commands.map(({ maxTimeMS }) => maxTimeMS)).toEqual([60_000, 60_000, 60_000, 60_000]);
});

it('sees what its transaction wrote', async () => {
  await store.connection.transaction(async (transaction) => {
    await items.collection.deleteOne({ _id: first._id }, { session: transaction });
    expect(await readOne<Item>(items, { _id: first._id }, { transaction })).toBeNull();
    expect(await readMany<Item>(items, {}, { transaction, sort: { rank: 1 } })).toEqual([second, third]);
    expect(await readOne<Item>(items, { _id: first._id })).toEqual(first);
  });
});

describe('Reads that are wanted in one turn', () => {
  const reads = (): string[] => commands.map((command) => Object.keys(command)[0] ?? '');

  it('share a command when they are the same, for each way of reading', async () => {
    const five = <Result>(read: () => Promise<Result>): Promise<Result[]> =>
      Promise.all(Array.from({ length: 5 }, read));
    expect(await five(() => readOne<Item>(items, { name: 'a' }))).toEqual([first, first, first, first, first]);
    const listed = await five(() => readMany<Item>(items, {}, { sort: { rank: 1 } }));
    expect(listed.map((list) => list.length)).toEqual([3, 3, 3, 3, 3]);
    await five(() => readFirst<Item>(items, { name: 'a' }));
    await five(() => readOneJoined(items, { name: 'a' }, itself(first)));
    expect(reads()).toEqual(['find', 'find', 'find', 'aggregate']);
  });

  it('share a command when they seek other values in the same fields', async () => {
    const ids = [first, third, { _id: new Types.ObjectId() }, first];
    const found = await Promise.all(ids.map(({ _id }) => readOne<Item>(items, { _id })));
    expect(found).toEqual([first, third, null, first]);
    const lists = [['b', 'a'], ['a'], [], ['c']].map((names) =>
      readMany<Item>(items, { name: trusted({ $in: names }) }, { sort: { rank: 1 } }),
    );
    expect(await Promise.all(lists)).toEqual([[first, second], [first], [], [third]]);
    expect(reads()).toEqual(['find', 'find']);
  });

  it('are joined each with its own records, in one command', async () => {
    const [shop, otherShop] = [new Types.ObjectId(), new Types.ObjectId()] as const;
    const part = (item: string, owner: Types.ObjectId) => ({ _id: new Types.ObjectId(), item, owner });
    const parts = [part('a', shop), part('a', otherShop), part('b', otherShop)];
    await store.connection.collection('parts').deleteMany({});
    await store.connection.collection('parts').insertMany(parts);
    commands.length = 0;
    const on = { from: 'parts', localField: 'name', foreignField: 'item', fields: { item: 1 } } as const;
    const wanted = [
      ['a', shop],
      ['a', otherShop],
      ['b', shop],
      ['b', otherShop],
      ['z', shop],
    ] as const;
    const found = await Promise.all(
      wanted.map(([name, owner]) => readOneJoined(items, { name }, { ...on, ids: { owner: owner.toHexString() } })),
    );
    expect(found.map((read) => read && [read.record, read.joined])).toEqual([
      [first, [parts[0]]],
      [first, [parts[1]]],
      [second, []],
      [second, [parts[2]]],
      null,
    ]);
    expect(reads()).toEqual(['aggregate']);
  });

  it('return the fields that they sought by, also of records without their id', async () => {
    const names = ['a', 'b'].map((name) => readMany<Item>(items, { name }, { fields: { rank: 1, _id: 0 } }));
    expect(await Promise.all(names)).toEqual([[{ name: 'a', rank: 0 }], [{ name: 'b', rank: 1 }]]);
    expect(commands).toHaveLength(1);
  });

  it('return the same as each of them alone', async () => {
    const name = fc.constantFrom('a', 'b', 'c', 'z');
    const id = fc.constantFrom(first._id, second._id, third._id);
    const filter = fc.oneof(
      fc.record({ _id: id, name }),
      fc.record({ name }),
      fc.array(name, { maxLength: 3 }).map((names) => ({ name: trusted({ $in: names }) })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(filter, { minLength: 2, maxLength: 10 }), async (filters) => {
        const read = (of: object): Promise<readonly Item[]> => readMany<Item>(items, of, { sort: { rank: 1 } });
        const together = await Promise.all(filters.map(read));
        for (const [place, alone] of filters.entries()) expect(together[place]).toEqual(await read(alone));
      }),
      { numRuns: 50 },
    );
  });

  it('share none when something else differs: a field, the order, the number, the collection', async () => {
    const others = store.connection.model<Item>(
      'Other',
      new Schema<Item>({ name: String }, { collection: 'others', autoCreate: false }),
    );
    const wanted = (): Promise<unknown>[] => [
      readOne<Item>(items, { name: 'a' }),
      readOne<Item>(items, { _id: first._id }),
      readOne<Item>(items, { name: 'a' }, { fields: { rank: 1 } }),
      readFirst<Item>(items, {}, { sort: { rank: 1 } }),
      readFirst<Item>(items, {}, { sort: { rank: -1 } }),
      readFirst<Item>(items, { name: 'b' }),
      readFirst<Item>(items, { name: 'c' }),
      readOne<Item>(others, { name: 'a' }),
      readMany<Item>(items, {}, { limit: 2, sort: { rank: 1 } }),
      readMany<Item>(items, {}, { sort: { rank: 1 } }),
      readMany(items, { name: undefined, rank: 0 }),
      readMany<Item>(items, { rank: 0 }),
    ];
    const lists = [[first, second], [first, second, third], [], [first]];
    const expected = [first, first, first, first, third, second, third, null, ...lists];
    expect(await Promise.all([...wanted(), ...wanted()])).toEqual([...expected, ...expected]);
    expect(commands).toHaveLength(expected.length);
  });

  it('never share a command with a transaction', async () => {
    await store.connection.transaction(async (transaction) => {
      await items.collection.updateOne({ _id: first._id }, { $set: { rank: 7 } }, { session: transaction });
      const outside = (): Promise<Item | null> => readOne<Item>(items, { _id: first._id });
      const inside = (): Promise<Item | null> => readOne<Item>(items, { _id: first._id }, { transaction });
      const found = await Promise.all([outside(), inside(), outside(), outside()]);
      expect(found.map((item) => item?.rank)).toEqual([0, 7, 0, 0]);
    });
  });

  it('see what was written before they were wanted', async () => {
    const seen = Array.from({ length: 50 }, async (_, rank) => {
      await items.collection.updateOne({ _id: first._id }, { $max: { rank } });
      return ((await readOne<Item>(items, { _id: first._id }))?.rank ?? -1) >= rank;
    });
    expect(await Promise.all(seen)).not.toContain(false);
  });
});
