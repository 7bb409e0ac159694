import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Model, Schema, Types } from 'mongoose';
import {
  findOneAndUpdate,
  insertAll,
  updateMany,
  updateOne,
  updateTogether,
} from '../../src/database/direct-writes.js';
import { violatedIndex } from '../../src/database/database-errors.js';
import { type Transaction } from '../../src/database/transactions.js';
import { openTestStore, type TestStore } from '../support/store.js';

interface Item {
  _id: Types.ObjectId;
  name: string;
  note?: string | undefined;
}

let store: TestStore;
let items: Model<Item>;
let commands: TestStore['commands'];

beforeAll(async () => {
  store = await openTestStore(undefined, { watchCommands: true });
  ({ commands } = store);
  const schema = new Schema<Item>({ name: String, note: String }, { versionKey: false, collection: 'items' });
  items = store.connection.model<Item>('Item', schema);
});
beforeEach(async () => {
  await items.collection.deleteMany({});
  commands.length = 0;
});
afterAll(() => store.close());

const stored = (): Promise<Item[]> => items.collection.find<Item>({}).sort({ name: 1 }).toArray();

describe('insertAll', () => {
  it('inserts records in one command, with their id or a new one, and leaves out what is undefined', async () => {
    const _id = new Types.ObjectId();
    await store.commit((transaction) => insertAll<Item>(items, [{ name: 'b', note: undefined }], transaction));
    const two = [{ _id, name: 'a', note: 'x' }, { name: 'c' }];
    await store.commit((transaction) => insertAll<Item>(items, two, transaction));
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
    await store.commit((transaction) => insertAll<Item>(items, [], transaction));
    expect(commands).toEqual([]);
    await store.rollBack((transaction) => insertAll<Item>(items, [{ name: 'a' }], transaction));
    expect(await stored()).toEqual([]);
  });
});

describe('updateOne, updateMany and findOneAndUpdate', () => {
  const [first, second] = ['a', 'b'].map((name): Item => ({ _id: new Types.ObjectId(), name, note: 'x' })) as [
    Item,
    Item,
  ];
  const renamed = (note?: string): { $set: Partial<Item> } => ({ $set: { name: 'c', note } });
  const change = (filter: object, update: object): Promise<Item | null> =>
    store.commit((transaction) => findOneAndUpdate<Item>(items, filter, update, { fields: { note: 0 }, transaction }));
  const each: [string, (filter: object, update: object, transaction: Transaction | null) => Promise<unknown>][] = [
    ['updateOne', (filter, update, transaction) => updateOne<Item>(items, filter, update, { transaction })],
    ['updateMany', (filter, update, transaction) => updateMany<Item>(items, filter, update, { transaction })],
    [
      'findOneAndUpdate',
      (filter, update, transaction) =>
        findOneAndUpdate<Item>(items, filter, update, { fields: { note: 0 }, transaction }),
    ],
  ];

  beforeEach(async () => {
    await items.collection.insertMany([first, second]);
    commands.length = 0;
  });

  it('return the record after the change, or how many records were found and changed', async () => {
    expect(await change({ _id: first._id }, renamed())).toEqual({ _id: first._id, name: 'c' });
    expect(await change({ _id: new Types.ObjectId() }, renamed())).toBeNull();
    expect(await stored()).toEqual([second, { ...first, name: 'c' }]);
    const one = await updateOne<Item>(items, { note: 'x' }, { $set: { name: 'c' } }, { transaction: null });
    expect(one).toMatchObject({ matchedCount: 1 });
    const both = await updateMany<Item>(items, { note: 'x' }, { $set: { name: 'c' } }, { transaction: null });
    expect(both).toMatchObject({ matchedCount: 2, modifiedCount: 1 });
  });

  it('updateOne and findOneAndUpdate make a record only with `upsert`', async () => {
    const note = { $set: { note: 'y' } };
    await updateOne<Item>(items, { name: 'z' }, note, { transaction: null });
    expect(await change({ name: 'z' }, note)).toBeNull();
    expect(await stored()).toEqual([first, second]);
    await updateOne<Item>(items, { name: 'y' }, note, { transaction: null, upsert: true });
    const upserting = { fields: { note: 1 }, transaction: null, upsert: true } as const;
    const made = await findOneAndUpdate<Item>(items, { name: 'z' }, note, upserting);
    expect(made).toEqual({ _id: expect.any(Types.ObjectId), note: 'y' });
    expect((await stored()).map(({ name }) => name)).toEqual(['a', 'b', 'y', 'z']);
  });

  describe.each(each)('%s', (_name, write) => {
    it('leaves out what is undefined in a change', async () => {
      await write({ name: 'a' }, renamed(undefined), null);
      expect(await stored()).toEqual([second, { ...first, name: 'c' }]);
    });

    it('changes nothing when its transaction is rolled back', async () => {
      await store.rollBack((transaction) => write({ name: 'a' }, renamed(), transaction));
      expect(await stored()).toEqual([first, second]);
    });

    it('compares an operator that a client sent as a value', async () => {
      await write({ name: JSON.parse('{"$ne":"z"}') as string }, renamed(), null);
      expect(await stored()).toEqual([first, second]);
    });

    it('rejects a filter with a condition that is undefined, and changes nothing', async () => {
      for (const filter of [{ name: undefined }, { note: 'x', $or: [{ name: 'q' }, { name: undefined }] }]) {
        await expect(write(filter, renamed(), null)).rejects.toThrow('a condition of a write is undefined');
      }
      expect(await stored()).toEqual([first, second]);
    });

    it('has a time limit in the database', async () => {
      await write({ name: 'a' }, renamed(), null);
      expect(commands[0]).toMatchObject({ maxTimeMS: expect.any(Number) });
    });
  });
});

describe('updateTogether', () => {
  const ids = Array.from({ length: 3 }, () => new Types.ObjectId());
  const together = (filter: object, name: string, upsert = false): Promise<void> =>
    updateTogether<Item>(items, filter, { $set: { name } }, { upsert });

  beforeEach(async () => {
    await items.collection.insertMany(ids.map((_id, place) => ({ _id, name: `old ${place}` })));
    commands.length = 0;
  });

  it('changes the records of one turn in one command, each as its own update says', async () => {
    const [a, b, c] = ids;
    await Promise.all([together({ _id: a }, 'a'), together({ _id: b }, 'b'), together({ name: 'nobody' }, 'z')]);
    expect(commands).toHaveLength(1);
    expect(commands[0]).toMatchObject({ maxTimeMS: expect.any(Number) });
    await together({ _id: c }, 'c');
    expect(commands).toHaveLength(2);
    expect((await stored()).map(({ _id, name }) => [_id, name])).toEqual(ids.map((_id, place) => [_id, 'abc'[place]]));
  });

  it('makes a record only for an update with `upsert`', async () => {
    await Promise.all([together({ note: 'new' }, 'a', true), together({ note: 'none' }, 'b')]);
    expect((await stored()).filter(({ note }) => note !== undefined)).toMatchObject([{ name: 'a', note: 'new' }]);
  });

  it('fails only for the update that violates a unique index, and says which index', async () => {
    const taken = { _id: ids[0], name: 'another' };
    const results = await Promise.allSettled([
      together({ _id: ids[1] }, 'b'),
      together(taken, 'a', true),
      together({ _id: ids[2] }, 'c'),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(violatedIndex((results[1] as PromiseRejectedResult).reason)).toBe('_id_');
    expect((await stored()).map(({ name }) => name)).toEqual(['b', 'c', 'old 0']);
  });

  it('fails for all updates when the whole command fails', async () => {
    const error = new Error('no primary');
    const collection = { name: 'items', bulkWrite: () => Promise.reject(error) };
    const failing = { collection, db: { db: { collection: () => collection } } } as unknown as Model<Item>;
    const update = (): Promise<void> => updateTogether<Item>(failing, { name: 'a' }, { $set: { name: 'b' } });
    const results = await Promise.allSettled([update(), update()]);
    expect(results).toEqual([1, 2].map(() => ({ status: 'rejected', reason: error })));
  });

  it('rejects a filter with a condition that is undefined', async () => {
    await expect(together({ name: undefined }, 'z')).rejects.toThrow('a condition of a write is undefined');
    expect(commands).toEqual([]);
  });
});
