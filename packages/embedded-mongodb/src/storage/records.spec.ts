import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Binary } from 'bson';
import { docOf } from '../../test/support/documents.js';
import { StoreError } from '../errors.js';
import { changedFields, compileUpdate } from '../query/update.js';
import { unlimited } from '../query/work.js';
import { noFields } from '../values/types.js';
import { type Collection } from './catalogue.js';
import { entriesFor, type Index, makeIndex } from './indexes.js';
import { changeRecord, type Writer } from './records.js';

/** A writer that keeps its entries in memory. */
function writerOf(entries: Map<string, Buffer>): Writer {
  return {
    version: 1,
    revision: 1,
    has: () => true,
    get: (key) => entries.get(key.toString('latin1')),
    range: () => [],
    put: (key, value) => entries.set(key.toString('latin1'), value),
    remove: (key) => entries.delete(key.toString('latin1')),
    claim: () => undefined,
    check: () => undefined,
    describe: () => undefined,
  };
}

const collectionOf = (indexes: Index[]): Collection => ({
  namespace: 'd.c',
  id: 1,
  uuid: new Binary(),
  options: new Map(),
  indexes,
  build: undefined,
  nextRecord: 1,
  marks: 0,
});

const scalar = fc.constantFrom<unknown>(0, 1, 'x', null);
const nested = fc.dictionary(fc.constantFrom('x', 'y'), scalar, { maxKeys: 2, noNullPrototype: true });
const value = fc.oneof(scalar, nested, fc.array(fc.oneof(scalar, nested), { maxLength: 2 }));
const path = fc.constantFrom('a', 'b', 'c', 'a.x', 'a.y', 'b.x', 'a.0');
const one = (name: string, paths: fc.Arbitrary<string>, operand: fc.Arbitrary<unknown>): fc.Arbitrary<object> =>
  fc.tuple(paths, operand).map(([at, what]) => ({ [name]: { [at]: what } }));
const update = fc.oneof(
  one('$set', path, value),
  one('$unset', path, fc.constant('')),
  one('$inc', path, fc.constantFrom(0, 1)),
  one('$push', path, scalar),
  one('$set', fc.constantFrom('a.$[]', 'a.$[].x'), scalar),
  fc.record({ $set: nested, $unset: fc.constant({ c: '' }) }),
  fc.tuple(value, value).map(([a, b]) => ({ a, b })),
  value.map((b) => [{ $set: { b } }]),
);
const partial = fc.oneof(
  fc.constant({ b: { $exists: true } }),
  fc.constant({ 'b.x': { $gt: 0 } }),
  fc.constant({ $and: [{ b: 1 }, { c: 'x' }] }),
);
const indexSpec = fc.record({
  key: fc.dictionary(path, fc.constantFrom(1, -1), { minKeys: 1, maxKeys: 2, noNullPrototype: true }),
  options: fc.oneof(
    fc.constant({}),
    fc.constant({ sparse: true }),
    partial.map((partialFilterExpression) => ({ partialFilterExpression })),
  ),
});

it('updates the entries of all indexes with the document', () => {
  const given = fc.record({
    before: fc.record({ a: value, b: value, c: scalar }, { requiredKeys: [], noNullPrototype: true }),
    specs: fc.array(indexSpec, { minLength: 1, maxLength: 3 }),
    change: update,
  });
  const context = {
    env: { now: new Date(0), vars: new Map(), work: unlimited() },
    query: noFields(),
    arrayFilters: [],
    inserting: false,
  };
  fc.assert(
    fc.property(given, ({ before, specs, change }) => {
      const indexes = specs.map(({ key, options }, at) =>
        makeIndex(at + 2, docOf({ key, name: `i${at}`, ...options })),
      );
      const collection = collectionOf(indexes);
      const stored = new Map<string, Buffer>();
      const writer = writerOf(stored);
      const [document, copy] = [docOf({ _id: 1, ...before }), docOf({ _id: 1, ...before })];
      const [changes = null] = docOf({ changes: change }).values();
      try {
        changeRecord(writer, collection, { record: 1, after: document });
        const { document: after } = compileUpdate(changes, context)(copy);
        changeRecord(writer, collection, {
          record: 1,
          before: { document },
          after,
          fields: changedFields(changes),
        });
        const entries = indexes.flatMap((index) => [...entriesFor(index, after, 1).keys()]);
        expect([...stored.keys()].filter((key) => key.startsWith('I')).sort()).toEqual(entries.sort());
      } catch (error) {
        // Such an update or document is rejected.
        if (!(error instanceof StoreError)) throw error;
      }
    }),
    { numRuns: 2000 },
  );
});
