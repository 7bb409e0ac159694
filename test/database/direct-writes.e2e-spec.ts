import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Model, Schema, Types } from 'mongoose';
import { changeOne, insertAll } from '../../src/database/direct-writes.js';
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

describe('changeOne', () => {
  const [first, second] = ['a', 'b'].map((name): Item => ({ _id: new Types.ObjectId(), name, note: 'x' })) as [
    Item,
    Item,
  ];
  const change = (filter: object, fields: Partial<Item>): Promise<Item | null> =>
    store.commit((transaction) => changeOne<Item>(items, filter, fields, { fields: { note: 0 }, transaction }));

  beforeEach(async () => {
    await items.collection.insertMany([first, second]);
    commands.length = 0;
  });

  it('changes the record that a filter finds, and returns its fields afterwards', async () => {
    expect(await change({ _id: first._id }, { name: 'c', note: undefined })).toEqual({ _id: first._id, name: 'c' });
    expect(await stored()).toEqual([second, { ...first, name: 'c' }]);
    expect(await change({ _id: new Types.ObjectId() }, { name: 'd' })).toBeNull();
  });

  it('changes nothing when its transaction is rolled back', async () => {
    const options = { fields: { note: 0 } } as const;
    await store.rollBack((transaction) =>
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
