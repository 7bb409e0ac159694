import { expect } from '@jest/globals';
import fc from 'fast-check';
import { type Document } from 'mongodb';
import { type Item, type Page, sortKey, updated } from './plain-collection.js';
import { filter, sort } from './reads.js';
import { type Action, action, type View } from './view.js';

const value = fc.nat(4);
const tags = fc.array(value, { maxLength: 3 });
const few = fc.nat(60);

/** The fields of a document. A write replaces `u` by a value that is free. */
export const fields = fc.record({ a: value, b: value, tags, u: few }, { requiredKeys: [], noNullPrototype: true });

const setOf = fc
  .record({ a: value, b: value, tags }, { requiredKeys: [], noNullPrototype: true })
  .filter((values) => Object.keys(values).length > 0)
  .map(($set) => ({ $set }));
/** An update of any number of documents. */
const update: fc.Arbitrary<Document> = fc.oneof(
  setOf,
  setOf,
  fc.constantFrom<Document>(
    { $inc: { a: 1 } },
    { $inc: { b: -1 }, $unset: { a: '' } },
    { $unset: { tags: '', b: '' } },
  ),
  value.map((tag) => ({ $push: { tags: tag } })),
  value.map((tag) => ({ $pull: { tags: tag } })),
);
/** An update of one document. */
const updateOfOne = fc.oneof(
  { weight: 3, arbitrary: update },
  { weight: 1, arbitrary: few.map((u): Document => ({ $set: { u } })) },
  { weight: 1, arbitrary: fc.constant<Document>({ $unset: { u: '' } }) },
);
const replacement: fc.Arbitrary<Document> = fields;

/** The update, with a value of `u` that no document has. */
function withFreeValue({ expected }: View, change: Document): Document {
  const free = (values: Document): Document =>
    values['u'] >= 0 ? { ...values, u: expected.free('u', Number(values['u'])) } : values;
  return change['$set'] ? { ...change, $set: free(change['$set'] as Document) } : free(change);
}

/** Changes expected documents, and returns how many of them are different afterwards. */
function change({ expected }: View, items: readonly Item[], by: Document): number {
  const changed = items.map((item) => ({ item, after: updated(item, by) }));
  expected.put(...changed.map(({ after }) => after));
  return changed.filter(({ item, after }) => JSON.stringify(item) !== JSON.stringify(after)).length;
}

const insertMany = fc.array(fc.tuple(few, fields), { minLength: 1, maxLength: 20 }).map((documents) =>
  action('insertMany', documents, async (view) => {
    const { collection, session, expected } = view;
    const added = documents.map(([least, values]): Item => {
      const item = { _id: expected.free('_id', least), ...withFreeValue(view, values) };
      expected.put(item);
      return item;
    });
    const { insertedCount } = await collection.insertMany(added, { session });
    expect(insertedCount).toBe(added.length);
  }),
);

const updateMany = fc.tuple(filter, update).map(([match, by]) =>
  action('updateMany', [match, by], async (view) => {
    const { collection, session, expected } = view;
    const result = await collection.updateMany(match, by, { session });
    const matched = expected.find(match);
    const modifiedCount = change(view, matched, by);
    expect(result).toMatchObject({ matchedCount: matched.length, modifiedCount });
  }),
);

const deleteMany = filter.map((match) =>
  action('deleteMany', match, async ({ collection, session, expected }) => {
    const removed = expected.find(match);
    expect(await collection.deleteMany(match, { session })).toMatchObject({ deletedCount: removed.length });
    expected.remove(...removed);
  }),
);

/** A filter that matches one document or none. */
const ofOne = fc.tuple(few, filter).map(([_id, more]): Document => ({ ...more, _id }));

const updateOne = fc.tuple(ofOne, updateOfOne).map(([match, given]) =>
  action('updateOne', [match, given], async (view) => {
    const by = withFreeValue(view, given);
    const matched = view.expected.find(match);
    const result = await view.collection.updateOne(match, by, { session: view.session });
    expect(result).toMatchObject({ matchedCount: matched.length, modifiedCount: change(view, matched, by) });
  }),
);

const replaceOne = fc.tuple(ofOne, replacement).map(([match, given]) =>
  action('replaceOne', [match, given], async (view) => {
    const by = withFreeValue(view, given);
    const matched = view.expected.find(match);
    const result = await view.collection.replaceOne(match, by, { session: view.session });
    expect(result).toMatchObject({ matchedCount: matched.length, modifiedCount: change(view, matched, by) });
  }),
);

const deleteOne = ofOne.map((match) =>
  action('deleteOne', match, async ({ collection, session, expected }) => {
    const removed = expected.find(match);
    expect(await collection.deleteOne(match, { session })).toMatchObject({ deletedCount: removed.length });
    expected.remove(...removed);
  }),
);

/**
 * The expected document that a command has found. It can be any of those that match and that no other one precedes in the order
 * of the sort.
 */
function foundItem({ expected }: View, returned: Document | null, requested: Page): Item | undefined {
  const [first] = expected.page(requested);
  if (!first) {
    expect(returned).toBeNull();
    return undefined;
  }
  const item = expected.find(requested.filter).find(({ _id }) => _id === returned?.['_id']);
  expect(item && sortKey(item, requested.sort)).toEqual(sortKey(first, requested.sort));
  return item;
}

/** What a command that finds one document requests. */
const first: fc.Arbitrary<Page> = fc.record({ filter, sort, skip: fc.constant(0), limit: fc.constant(1) });
const sortOf = ({ sort: order }: Page): Document => (order.length > 0 ? { sort: order } : {});

const findOneAndUpdate = fc
  .tuple(first, updateOfOne, fc.constantFrom<'before' | 'after'>('before', 'after'))
  .map(([requested, given, returnDocument]) =>
    action('findOneAndUpdate', [requested, given, returnDocument], async (view) => {
      const by = withFreeValue(view, given);
      const options = { ...sortOf(requested), returnDocument, session: view.session };
      const returned = await view.collection.findOneAndUpdate(requested.filter, by, options);
      const item = foundItem(view, returned, requested);
      if (!item) return;
      expect(returned).toEqual(returnDocument === 'before' ? item : updated(item, by));
      change(view, [item], by);
    }),
  );

const findOneAndReplace = fc.tuple(first, replacement).map(([requested, given]) =>
  action('findOneAndReplace', [requested, given], async (view) => {
    const by = withFreeValue(view, given);
    const options = { ...sortOf(requested), session: view.session };
    const returned = await view.collection.findOneAndReplace(requested.filter, by, options);
    const item = foundItem(view, returned, requested);
    if (!item) return;
    expect(returned).toEqual(item);
    change(view, [item], by);
  }),
);

const findOneAndDelete = first.map((requested) =>
  action('findOneAndDelete', requested, async (view) => {
    const options = { ...sortOf(requested), session: view.session };
    const returned = await view.collection.findOneAndDelete(requested.filter, options);
    const item = foundItem(view, returned, requested);
    if (!item) return;
    expect(returned).toEqual(item);
    view.expected.remove(item);
  }),
);

/** Upserts twice by the same value: the second upsert must find the document of the first one. */
const upsertTwice = fc
  .tuple(few, fc.record({ a: fc.nat(9) }, { noNullPrototype: true }), value)
  .map(([least, match, b]) =>
    action('upsertTwice', [least, match, b], async ({ collection, session, expected }) => {
      const by: Document = { $set: { b }, $push: { tags: b } };
      for (let time = 1; time <= 2; time++) {
        const requested: Page = { filter: match, sort: [['_id', 1]], skip: 0, limit: 1 };
        const [known] = expected.page(requested);
        const _id = expected.free('_id', least);
        const after = updated(known ?? { _id, ...match }, by);
        const returned = await collection.findOneAndUpdate(
          match,
          { ...by, $setOnInsert: { _id } },
          { ...sortOf(requested), session, upsert: true, returnDocument: 'after' },
        );
        expect(returned).toEqual(after);
        expected.put(after);
      }
    }),
  );

/** Removes a document and inserts it again: neither its `_id` nor its unique value is taken any more. */
const reinsert = few.map((least) =>
  action('reinsert', least, async ({ collection, session, expected }) => {
    const [item] = expected.find({ _id: { $gte: least } });
    if (!item) return;
    await collection.deleteOne({ _id: item._id }, { session });
    expect(await collection.findOne({ _id: item._id }, { session })).toBeNull();
    const again = { ...item, b: 0 };
    await collection.insertOne(again, { session });
    expected.remove(item);
    expected.put(again);
  }),
);

/** A write of any kind that succeeds. */
export const write: fc.Arbitrary<Action> = fc.oneof(
  { weight: 3, arbitrary: insertMany },
  { weight: 3, arbitrary: updateMany },
  { weight: 3, arbitrary: deleteMany },
  { weight: 1, arbitrary: updateOne },
  { weight: 1, arbitrary: replaceOne },
  { weight: 1, arbitrary: deleteOne },
  { weight: 2, arbitrary: findOneAndUpdate },
  { weight: 1, arbitrary: findOneAndReplace },
  { weight: 2, arbitrary: findOneAndDelete },
  { weight: 2, arbitrary: upsertTwice },
  { weight: 1, arbitrary: reinsert },
);
