import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Collection, type Document, type MongoClient } from 'mongodb';
import { inSession } from '../test/support/accounts.js';
import { withClock } from '../test/support/clock.js';
import { withNewCollections } from '../test/support/test-store.js';

type Item = Document & { _id: number };

let client: MongoClient;
let c: Collection<Item>;

withNewCollections<Item>((...made) => {
  [client, c] = made;
});

describe('findAndModify', () => {
  it.each<[string, Document, number]>([
    ['mixes fields to keep and to leave out', { a: 1, b: 0 }, 31254],
    ['has an operator that does not exist', { x: { $nothing: 1 } }, 168],
    ['fails for the document', { x: { $divide: [1, '$zero'] } }, 2],
  ])('writes nothing when its projection %s', async (_, projection, code) => {
    const before = { _id: 1, a: 1, b: 1, zero: 0 };
    await c.insertOne(before);
    const set = { $set: { a: 2 } };
    const calls = [
      () => c.findOneAndUpdate({ _id: 1 }, set, { projection }),
      () => c.findOneAndUpdate({ _id: 1 }, set, { projection, returnDocument: 'after' }),
      () => c.findOneAndUpdate({ _id: 2, zero: 0 }, set, { projection, returnDocument: 'after', upsert: true }),
      () => c.findOneAndDelete({ _id: 1 }, { projection }),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code });
    expect(await c.find().toArray()).toEqual([before]);
  });
});

it('returns nothing from findAndModify when a transaction that it waited for leaves no document that matches', async () => {
  await c.insertOne({ _id: 1, state: 'open' });
  await inSession(client, async (session) => {
    session.startTransaction();
    await c.updateOne({ _id: 1 }, { $set: { state: 'done' } }, { session });
    const waiting = c.findOneAndUpdate({ _id: 1, state: 'open' }, { $set: { state: 'taken' } });
    await client.db('shop').command({ ping: 1 }); // by another connection: the first one is busy
    await session.commitTransaction();
    expect(await waiting).toBeNull();
  });
  expect(await c.find().toArray()).toEqual([{ _id: 1, state: 'done' }]);
});

describe('updateMany', () => {
  beforeEach(async () => {
    await c.createIndexes([{ key: { a: 1 } }]);
    await c.insertMany(Array.from({ length: 300 }, (_, _id) => ({ _id, a: _id, n: 0 })));
  });

  it('changes a document once that another write moves forward in the index while it searches', async () => {
    const change = (): Promise<unknown> => c.updateMany({ a: { $gte: 0 } }, { $inc: { n: 1 } });
    await withClock(10, change, () => c.updateOne({ _id: 0 }, { $set: { a: 1000 } }));
    expect(await c.distinct('n')).toEqual([1]);
  });

  it('fails updateMany with QueryPlanKilled (175) when its collection is dropped while it changes documents', async () => {
    const change = (): Promise<unknown> =>
      expect(c.updateMany({}, { $inc: { n: 1 } })).rejects.toMatchObject({ code: 175, codeName: 'QueryPlanKilled' });
    await withClock(0, change, async ({ engine }) => {
      await c.drop();
      await engine.disk.write(() => engine.catalogue.sweep());
    });
  });
});

describe('a field whose name begins with a dollar sign', () => {
  it('changes a field whose name begins with a dollar sign below another field', async () => {
    await c.insertOne({ _id: 1, a: { $x: 1, $y: [1] } });
    await c.updateOne({ _id: 1 }, { $set: { 'a.$x': 2, 'a.$y.1': 2 } });
    expect(await c.findOne({ _id: 1 })).toEqual({ _id: 1, a: { $x: 2, $y: [1, 2] } });
  });

  it('rejects a field whose name begins with a dollar sign as the first part of a path (52)', async () => {
    await expect(c.updateOne({ _id: 1 }, { $set: { $x: 1 } })).rejects.toMatchObject({ code: 52 });
  });
});
