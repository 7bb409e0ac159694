import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';
import fc from 'fast-check';
import { type Document } from 'mongodb';
import { type Item, type Sort } from './plain-collection.js';
import { filter, sort } from './reads.js';
import { type Action, action } from './view.js';
import { write } from './writes.js';

interface Query {
  readonly filter: Document;
  readonly sort: Sort;
}

const value = fc.nat(4);
const query: fc.Arbitrary<Query> = fc.oneof(
  fc.record({ filter: fc.oneof(fc.constant({}), filter), sort: fc.constant([]) }),
  fc.record({ filter, sort }),
  // Several ranges of an index, which are read side by side in the order of its second field.
  fc.record({
    filter: fc.record({ b: fc.record({ $in: fc.array(value, { minLength: 2, maxLength: 4 }) }) }),
    sort: fc.constantFrom<Sort>([['a', 1]], [['a', -1]]),
  }),
);

const ids = (items: readonly Item[]): number[] => items.map(({ _id }) => _id).sort((left, right) => left - right);

/**
 * Opens a cursor, writes, and reads the rest of the cursor. A document that was not written is returned once. One that was written
 * is returned as it matches when it is read, or not at all. With a sort, all can be read when the cursor is opened.
 */
export const readWhileWriting: fc.Arbitrary<Action> = fc
  .record({
    query,
    batchSize: fc.integer({ min: 1, max: 6 }),
    writes: fc.array(write, { minLength: 1, maxLength: 3 }),
  })
  .map(({ query: requested, batchSize, writes }) =>
    action('readWhileWriting', [requested, batchSize, writes.map(String)], async (view) => {
      const { collection, session, expected } = view;
      const order = requested.sort.length > 0 ? { sort: Object.fromEntries(requested.sort) } : {};
      const before = expected.find(requested.filter);
      const cursor = collection.find(requested.filter, { ...order, session, batchSize });
      const first = await cursor.next();
      const early = first ? [first, ...cursor.readBufferedDocuments()] : [];
      expect(early).toEqual(early.map(({ _id }) => before.find((item) => item._id === _id)));

      for (const one of writes) await one.run(view);
      const late = await cursor.toArray();
      const after = expected.find(requested.filter);
      const possible = requested.sort.length > 0 ? [...after, ...before] : after;
      expect(late).toEqual(late.map((item) => possible.find((one) => isDeepStrictEqual(one, item))));
      const unwritten = ids(before.filter((item) => after.includes(item)));
      expect(ids([...early, ...late]).filter((id) => unwritten.includes(id))).toEqual(unwritten);
    }),
  );
