// `npm run test:differential -- [COUNT] [SEED]`: the same random sequences of operations on the embedded store (compiled, in
// this process) and on the engine that TEST_MONGODB_URI names; every answer, error code and final collection must be equal.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { EJSON } from 'bson';
import fc from 'fast-check';
import { MongoClient } from 'mongodb';
import { sequence } from './operations.js';

const other = process.env.TEST_MONGODB_URI;
if (!other) {
  process.stderr.write('differential test: TEST_MONGODB_URI names no second engine, so it is left out\n');
  process.exit(0);
}
const dist = resolve(process.env.STORE_DIST ?? 'dist/database/embedded');
const { StoreServer } = await import(pathToFileURL(join(dist, 'server.js')).href);
const [count, seed] = [
  Number(process.argv[2] ?? 200),
  process.argv[3] === undefined ? undefined : Number(process.argv[3]),
];
const known = JSON.parse(readFileSync(new URL('./known-differences.json', import.meta.url), 'utf8'));

const path = mkdtempSync(join(tmpdir(), 'store-differential-'));
const options = { promoteValues: false, promoteLongs: false };
let store = await StoreServer.start({ path, port: 0 });
let own = new MongoClient(store.uri, options);
const second = new MongoClient(other, options);

async function restart() {
  await own.close();
  await store.close();
  store = await StoreServer.start({ path, port: 0 });
  own = new MongoClient(store.uri, options);
}

/** Executes one operation; what it answers, in a form that can be compared. */
async function perform(client, step, session) {
  const c = client.db('differential').collection('c');
  const at = session ? { session } : {};
  switch (step.kind) {
    case 'insert':
      return (await c.insertOne({ ...step.document }, at)).acknowledged;
    case 'updateOne':
    case 'updateMany': {
      const { matchedCount, modifiedCount, upsertedId } = await c[step.kind](step.filter, step.change, {
        upsert: step.upsert === true,
        ...at,
      });
      return { matchedCount, modifiedCount, upsertedId };
    }
    case 'replaceOne':
      return (await c.replaceOne(step.filter, step.replacement, at)).modifiedCount;
    case 'deleteOne':
    case 'deleteMany':
      return (await c[step.kind](step.filter, at)).deletedCount;
    case 'findOneAndUpdate':
      return c.findOneAndUpdate(step.filter, step.change, {
        sort: step.sort,
        returnDocument: step.returnDocument,
        ...at,
      });
    case 'find':
      return c
        .find(step.filter, { projection: step.projection, sort: step.sort, skip: step.skip, limit: step.limit, ...at })
        .toArray();
    case 'distinct':
      return (await c.distinct(step.key, step.filter, at))
        .map((value) => EJSON.stringify(value, { relaxed: true }))
        .sort(); // equal numbers: any one's type
    case 'count':
      return c.countDocuments(step.filter, at);
    case 'aggregate':
      return sorted(await c.aggregate(step.stages, at).toArray());
    case 'createIndex':
      return c.createIndexes([step.spec]);
    case 'dropIndex':
      await c.dropIndex(step.name);
      return 'dropped';
    case 'transaction':
      return transact(client, step);
    default:
      return undefined;
  }
}

const text = (value) => EJSON.stringify(value ?? null, { relaxed: false });
const sorted = (values) => values.map(text).sort();

async function transact(client, { steps, commit }) {
  const session = client.startSession();
  const answers = [];
  try {
    session.startTransaction();
    for (const step of steps) {
      answers.push(await outcome(client, step, session));
      if (answers.at(-1).startsWith('error')) break;
    }
    if (commit && !answers.at(-1).startsWith('error')) await session.commitTransaction();
    else await session.abortTransaction();
  } finally {
    await session.endSession();
  }
  return answers;
}

async function outcome(client, step, session) {
  try {
    return text(await perform(client, step, session));
  } catch (error) {
    return `error ${error.code ?? error.message}`;
  }
}

/** Whether a difference is one of those that are settled: the manual is right, and the list names who differs from it. */
function isKnown(step, mine, theirs) {
  const shown = text(step);
  return known.some(
    (one) =>
      (one.step === undefined || new RegExp(one.step).test(shown)) &&
      new RegExp(one.mine).test(mine) &&
      new RegExp(one.theirs).test(theirs),
  );
}

let settled = 0;
const property = fc.asyncProperty(sequence, async ({ documents, indexes, steps }) => {
  for (const client of [own, second]) {
    const c = client.db('differential').collection('c');
    await c.drop().catch(() => undefined);
    await client.db('differential').createCollection('c');
    if (indexes.length > 0) await c.createIndexes(indexes).catch(() => undefined);
    if (documents.length > 0) await c.insertMany(documents.map((one) => ({ ...one })));
  }
  for (const step of [...steps, { kind: 'find', filter: {}, sort: { _id: 1 } }]) {
    if (step.kind === 'restart') {
      await restart();
      continue;
    }
    const [mine, theirs] = await Promise.all([outcome(own, step), outcome(second, step)]);
    // A statement on many documents that fails leaves those before it changed (manual: core/write-operations-atomicity);
    // the second engine rolls all of them back, so the sequence ends here.
    if (mine === theirs && mine.startsWith('error') && text(step).includes('updateMany')) return;
    if (mine === theirs) continue;
    if (isKnown(step, mine, theirs)) {
      settled++;
      return; // the collections may differ from here on
    }
    throw new Error(`${text(step)}\n  embedded: ${mine}\n  second:   ${theirs}`);
  }
});

const result = await fc.check(property, {
  numRuns: count,
  ...(seed === undefined ? {} : { seed }),
  interruptAfterTimeLimit: 3_600_000,
  markInterruptAsFailure: true,
});
await Promise.all([own.close(), second.close()]);
await store.close();
rmSync(path, { recursive: true, force: true });
if (result.failed) {
  process.stdout.write(
    `seed ${result.seed}, after ${result.numRuns} sequences\n${text(result.counterexample)}\n${result.errorInstance?.message ?? ''}\n`,
  );
  process.exitCode = 1;
} else
  process.stdout.write(
    `${result.numRuns} sequences equal (${settled} ended at a settled difference), seed ${result.seed}\n`,
  );
