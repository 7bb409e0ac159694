import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ClientSession, type Collection, type IndexDescription } from 'mongodb';
import { inSession } from '../support/accounts.js';
import { openTestStore, type TestStore } from '../support/test-store.js';
import { readWhileWriting } from './cursors.js';
import { type Item, PlainCollection } from './plain-collection.js';
import { expectEverything, filter, read } from './reads.js';
import { type Action, action, type View } from './view.js';
import { fields, write } from './writes.js';

/** How many random transactions there are. fast-check prints the seed of one that fails. */
const RUNS = Number(process.env['TRANSACTION_RUNS'] ?? 100);

/** From this `_id` and `u` on are the documents that other clients write while the transaction is open. */
const OTHERS = 1000;

let store: TestStore;
let collections = 0;

beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

/** One transaction, and those who must not see what it writes before its commit. */
interface Views {
  /** The transaction. */
  readonly own: View;
  /** Clients without a transaction. */
  readonly others: View;
  /** A transaction that began before this one and ends after it. */
  readonly earlier: View;
}

interface Step {
  readonly of: keyof Views;
  readonly action: Action;
  toString(): string;
}

const stepsOf = (of: keyof Views, weight: number, actions: fc.Arbitrary<Action>): fc.WeightedArbitrary<Step> => ({
  weight,
  arbitrary: actions.map((one) => ({ of, action: one, toString: () => `${of}: ${String(one)}` })),
});

/** Inserts a document that the transaction does not see, and removes earlier ones of this kind. */
const unseenWrite = fc.tuple(fields, filter).map(([values, match]) =>
  action('unseenWrite', [values, match], async ({ collection, session, expected }) => {
    const unseen = { ...match, _id: { $gte: OTHERS } };
    await collection.deleteMany(unseen, { session });
    expected.remove(...expected.find(unseen));
    const item = { _id: expected.free('_id', OTHERS), ...values, u: expected.free('u', OTHERS) };
    await collection.insertOne(item, { session });
    expected.put(item);
  }),
);

const steps = [
  stepsOf('own', 9, read),
  stepsOf('own', 9, write),
  stepsOf('own', 4, readWhileWriting),
  stepsOf('others', 2, read),
  stepsOf('earlier', 1, read),
];

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

/** The first documents: few, or more than a scan reads at once. */
const documents = fc
  .oneof(fc.array(fields, { maxLength: 5 }), fc.array(fields, { minLength: 20, maxLength: 60, size: 'max' }))
  .map((all) => all.map((values, n): Item => ({ _id: n, ...values, ...('u' in values ? { u: n } : {}) })));

/** `duplicate`: an insertion that must fail ends the transaction. */
type Ending = 'commit' | 'abort' | 'duplicate';

interface Given {
  /** Whether the transaction creates the collection. A write of others would wait for its end. */
  readonly createsCollection: boolean;
  readonly documents: readonly Item[];
  readonly indexes: readonly IndexDescription[];
  readonly steps: readonly Step[];
  readonly ending: Ending;
  /** What others do after the end. */
  readonly last: readonly Action[];
}

const givenOf = (createsCollection: boolean): fc.Arbitrary<Given> =>
  fc.record({
    createsCollection: fc.constant(createsCollection),
    documents,
    indexes,
    steps: fc.array(fc.oneof(...steps, ...(createsCollection ? [] : [stepsOf('others', 1, unseenWrite)])), {
      minLength: 1,
      maxLength: 16,
      size: 'max',
    }),
    ending: fc.constantFrom<Ending>('commit', 'commit', 'abort', 'duplicate'),
    last: fc.array(fc.oneof(read, write), { maxLength: 6 }),
  });

/** Creates the collection with its indexes and its first documents. */
async function fill({ collection, session, expected }: View, given: Given): Promise<void> {
  if (given.indexes.length > 0) await collection.createIndexes([...given.indexes], { session });
  if (given.documents.length > 0) await collection.insertMany([...given.documents], { session });
  expected.put(...given.documents);
}

async function end({ own, others }: Views, session: ClientSession, ending: Ending): Promise<void> {
  const written = own.expected.find();
  if (ending === 'commit') {
    await session.commitTransaction();
    const unseen = others.expected.find({ _id: { $gte: OTHERS } });
    others.expected.remove(...others.expected.find());
    others.expected.put(...written, ...unseen);
    return;
  }
  const [taken] = written;
  if (ending === 'duplicate' && taken) {
    await expect(own.collection.insertOne({ _id: taken._id }, { session })).rejects.toMatchObject({ code: 11000 });
    await expect(own.collection.findOne({}, { session })).rejects.toMatchObject({ code: 251 });
  }
  await session.abortTransaction();
}

async function play(collection: Collection<Item>, given: Given): Promise<void> {
  const { createsCollection } = given;
  const stored: View = { collection, session: undefined, expected: new PlainCollection() };
  if (!createsCollection) {
    // Without documents and indexes, the first write of the transaction would create it.
    await store.client.db('shop').createCollection(collection.collectionName);
    await fill(stored, given);
  }
  await inSession(store.client, (earlier) =>
    inSession(store.client, async (session) => {
      const views: Views = {
        own: { collection, session, expected: stored.expected.copy() },
        others: { ...stored, expected: stored.expected.copy() },
        earlier: { ...stored, session: earlier },
      };
      earlier.startTransaction();
      const cursor = collection.find({}, { session: earlier, batchSize: 2, sort: { _id: 1 } });
      const first = await cursor.next();
      session.startTransaction();
      if (createsCollection) await fill(views.own, given);
      else await collection.findOne({}, { session });
      for (const step of given.steps) await step.action.run(views[step.of]);
      await expectEverything(views.own, given.indexes);
      await expectEverything(views.others, given.indexes);

      await end(views, session, given.ending);
      for (const one of given.last) await one.run(views.others);
      await expectEverything(views.others, given.indexes);
      await expectEverything(views.earlier, given.indexes);
      expect([...(first ? [first] : []), ...(await cursor.toArray())]).toEqual(stored.expected.find());
      await earlier.commitTransaction();
    }),
  );
}

it('reads in a transaction what a plain array has after the same writes, which others read after its commit and never before', async () => {
  const given = fc.oneof({ weight: 7, arbitrary: givenOf(false) }, { weight: 1, arbitrary: givenOf(true) });
  const property = fc.asyncProperty(given, async (one) => {
    await play(store.client.db('shop').collection<Item>(`trial${++collections}`), one);
  });
  // The time limit ends the search for a shorter example before Jest ends the test. A slow machine runs fewer examples.
  await fc.assert(property, { numRuns: RUNS, interruptAfterTimeLimit: RUNS * 1000 });
});
