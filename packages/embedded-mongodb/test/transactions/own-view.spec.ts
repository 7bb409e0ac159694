import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ClientSession, type Collection, type Document, type IndexDescription } from 'mongodb';
import { inSession } from '../support/accounts.js';
import { openTestStore, type TestStore } from '../support/test-store.js';
import { type Item, PlainCollection } from './plain-collection.js';
import { expectEverything, filter, read, type Read, type View } from './reads.js';
import { fields, write, type Write } from './writes.js';

/** How many random transactions there are. fast-check prints the seed of one that fails. */
const RUNS = Number(process.env['TRANSACTION_RUNS'] ?? 200);

/** From this `_id` and `u` on are the documents that other clients write while the transaction is open. */
const OTHERS = 1000;

let store: TestStore;
let collections = 0;

beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

/** One transaction, and those who must not see what it writes before its commit. */
interface Trial {
  /** The transaction. */
  readonly own: View;
  /** Clients without a transaction. */
  readonly others: View;
  /** A transaction that began before this one and ends after it. */
  readonly earlier: View;
  /** Whether the transaction creates the collection: a write of others waits for its end then. */
  readonly createsCollection: boolean;
}

interface Step {
  run(trial: Trial): Promise<unknown>;
  toString(): string;
}

const stepOf = (title: string, run: Step['run']): Step => ({ run, toString: () => title });

/**
 * Reads a cursor while the same transaction writes. A document that was not written is returned once. One that was is returned as it
 * is when it is read, or not at all.
 */
async function readWhileWriting(
  own: View,
  match: Document,
  batchSize: number,
  writes: readonly Write[],
): Promise<void> {
  const { collection, session, expected } = own;
  const before = expected.find(match);
  const cursor = collection.find(match, { session, batchSize });
  const found = await cursor.next();
  const early = found ? [found, ...cursor.readBufferedDocuments()] : [];
  expect(early).toEqual(early.map(({ _id }) => before.find((item) => item._id === _id)));
  for (const one of writes) await one.run(own);
  const late = await cursor.toArray();
  const after = expected.find(match);
  expect(late).toEqual(late.map(({ _id }) => after.find((item) => item._id === _id)));
  const ids = (items: readonly Item[]): number[] => items.map(({ _id }) => _id).sort((a, b) => a - b);
  const unwritten = ids(before.filter((item) => after.includes(item)));
  expect(ids([...early, ...late]).filter((id) => unwritten.includes(id))).toEqual(unwritten);
}

/** Inserts a document for another client, and removes those of its earlier ones that match. */
async function writeAsOther({ collection, session, expected }: View, values: Document, match: Document): Promise<void> {
  const removed = expected.find({ ...match, _id: { $gte: OTHERS } });
  await collection.deleteMany({ ...match, _id: { $gte: OTHERS } }, { session });
  expected.remove(...removed);
  const item = { _id: expected.free('_id', OTHERS), ...values, u: expected.free('u', OTHERS) };
  await collection.insertOne(item, { session });
  expected.put(item);
}

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: read.map((one) => stepOf(String(one), ({ own }) => one.check(own))) },
  { weight: 2, arbitrary: read.map((one) => stepOf(`others: ${String(one)}`, ({ others }) => one.check(others))) },
  { weight: 1, arbitrary: read.map((one) => stepOf(`earlier: ${String(one)}`, ({ earlier }) => one.check(earlier))) },
  { weight: 10, arbitrary: write.map((one) => stepOf(String(one), ({ own }) => one.run(own))) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(filter, fc.integer({ min: 1, max: 20 }), fc.array(write, { minLength: 1, maxLength: 3 }))
      .map(([match, batchSize, writes]) =>
        stepOf(`readWhileWriting(${JSON.stringify(match)}, ${batchSize}, ${writes.join(', ')})`, ({ own }) =>
          readWhileWriting(own, match, batchSize, writes),
        ),
      ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fields, filter).map(([values, match]) =>
      stepOf(`writeAsOther(${JSON.stringify([values, match])})`, async ({ others, createsCollection }) => {
        if (!createsCollection) await writeAsOther(others, values, match);
      }),
    ),
  },
);

const indexes = fc.subarray<IndexDescription>([
  { key: { a: 1 } },
  { key: { b: -1, a: 1 } },
  { key: { tags: 1 } },
  { key: { tags: -1, b: 1 } },
  { key: { b: 1 }, sparse: true },
  { key: { u: 1 }, unique: true, sparse: true },
  { key: { a: 1, u: 1 }, unique: true, partialFilterExpression: { u: { $exists: true } } },
  { key: { b: 1, _id: -1 }, partialFilterExpression: { a: { $gte: 2 } } },
]);

/** The documents before the transaction: few, or more than a scan reads at once. */
const documents = fc
  .oneof(fc.array(fields, { maxLength: 5 }), fc.array(fields, { minLength: 20, maxLength: 60, size: 'max' }))
  .map((all) => all.map((values, n): Item => ({ _id: n, ...values, ...('u' in values ? { u: n } : {}) })));

/** `duplicate` ends the transaction by a document that it must refuse. */
type Ending = 'commit' | 'abort' | 'duplicate';

interface Given {
  readonly createsCollection: boolean;
  readonly documents: readonly Item[];
  readonly indexes: readonly IndexDescription[];
  readonly steps: readonly Step[];
  readonly ending: Ending;
  /** Reads of others after the end. */
  readonly last: readonly Read[];
}

async function end({ own, others }: Trial, session: ClientSession, ending: Ending): Promise<void> {
  const written = own.expected.find();
  if (ending === 'commit') {
    await session.commitTransaction();
    const concurrent = others.expected.find({ _id: { $gte: OTHERS } });
    others.expected.remove(...others.expected.find());
    others.expected.put(...written, ...concurrent);
    return;
  }
  const [taken] = written;
  if (ending === 'duplicate' && taken) {
    await expect(own.collection.insertOne({ _id: taken._id }, { session })).rejects.toMatchObject({ code: 11000 });
    await expect(own.collection.findOne({}, { session })).rejects.toMatchObject({ code: 251 });
  }
  await session.abortTransaction();
}

/** Creates the collection with its indexes and its first documents. */
async function fill({ collection, session, expected }: View, given: Given): Promise<void> {
  if (given.indexes.length > 0) await collection.createIndexes([...given.indexes], { session });
  if (given.documents.length > 0) await collection.insertMany([...given.documents], { session });
  expected.put(...given.documents);
}

async function play(collection: Collection<Item>, given: Given): Promise<void> {
  const { createsCollection } = given;
  const stored: View = { collection, session: undefined, expected: new PlainCollection() };
  if (!createsCollection) await fill(stored, given);
  await inSession(store.client, (earlier) =>
    inSession(store.client, async (session) => {
      const trial: Trial = {
        own: { collection, session, expected: stored.expected.copy() },
        others: { ...stored, expected: stored.expected.copy() },
        earlier: { ...stored, session: earlier },
        createsCollection,
      };
      earlier.startTransaction();
      const cursor = collection.find({}, { session: earlier, batchSize: 2, sort: { _id: 1 } });
      const first = await cursor.next();
      session.startTransaction();
      if (createsCollection) await fill(trial.own, given);
      else await collection.findOne({}, { session });
      for (const one of given.steps) await one.run(trial);
      await expectEverything(trial.own, given.indexes);
      await expectEverything(trial.others, given.indexes);
      await end(trial, session, given.ending);
      await expectEverything(trial.others, given.indexes);
      for (const one of given.last) await one.check(trial.others);
      await expectEverything(trial.earlier, given.indexes);
      expect([...(first ? [first] : []), ...(await cursor.toArray())]).toEqual(stored.expected.find());
      await earlier.commitTransaction();
    }),
  );
}

it('reads in a transaction what a plain array has after the same writes, which others read after its commit and never before', async () => {
  const given: fc.Arbitrary<Given> = fc.record({
    createsCollection: fc.nat(7).map((n) => n === 0),
    documents,
    indexes,
    steps: fc.array(step, { minLength: 1, maxLength: 16, size: 'max' }),
    ending: fc.constantFrom<Ending>('commit', 'commit', 'abort', 'duplicate'),
    last: fc.array(read, { maxLength: 4 }),
  });
  const property = fc.asyncProperty(given, async (one) => {
    await play(store.client.db('shop').collection<Item>(`trial${++collections}`), one);
  });
  // The time limit ends the search for a shorter example before Jest ends the test.
  await fc.assert(property, { numRuns: RUNS, interruptAfterTimeLimit: RUNS * 1000, markInterruptAsFailure: true });
});
