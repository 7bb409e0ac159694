// `npm run long -- store-differential [--runs 300] [--seed N [--path P]] [--all]`: runs the same random sequences of operations on the
// embedded store (compiled, in this process), with indexes and without them, and on the second engine, which TEST_MONGODB_URI
// names. Every result, error code and final collection must be equal, also after a restart of the store. The run ends at the
// first difference and prints the shortest sequence for it, with the seed and the path that repeat it. With `--all` it goes on
// and lists every kind of difference. Without TEST_MONGODB_URI it says so and does nothing.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { EJSON } from 'bson';
import fc from 'fast-check';
import { MongoClient } from 'mongodb';
import { differences } from './differences.js';
import { sequence } from './operations.js';
import { outcome, own as ownIndex, text } from './perform.js';

const other = process.env.TEST_MONGODB_URI;
if (!other) {
  process.stderr.write('differential test: TEST_MONGODB_URI names no second engine, so it is skipped\n');
  process.exit(0);
}
const dist = resolve(process.env.STORE_DIST ?? join(import.meta.dirname, '../../dist'));
const { StoreServer } = await import(pathToFileURL(join(dist, 'server.js')).href);
const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '300' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    path: { type: 'string' },
    all: { type: 'boolean', default: false },
  },
});

const path = mkdtempSync(join(tmpdir(), 'store-differential-'));
const clientOptions = { promoteValues: false, promoteLongs: false, maxPoolSize: 4 };
const database = `differential_${process.pid}`;
// An engine that has crashed never replies. The driver then reports an error, and does not repeat the command.
const second = new MongoClient(other, {
  ...clientOptions,
  socketTimeoutMS: 15_000,
  retryReads: false,
  retryWrites: false,
});
let store;
let own;
const tally = { steps: 0, restarts: 0, settled: 0, repeated: 0, sequences: 0, ended: 0 };
const survey = new Map();

async function open() {
  store = await StoreServer.start({ path, port: 0 });
  own = new MongoClient(store.uri, clientOptions);
}

async function restart() {
  tally.restarts++;
  await own.close();
  await store.close();
  await open();
}

const indexed = () => own.db(database).collection('indexed');
const plain = () => own.db(database).collection('plain');
const theirs = () => second.db(database).collection('c');

async function begin(collection, documents, indexes) {
  await collection.drop().catch(() => undefined);
  await collection.client.db(database).createCollection(collection.collectionName);
  if (indexes.length > 0) await collection.createIndexes(indexes).catch(() => undefined);
  if (documents.length > 0) await collection.insertMany(documents.map((one) => ({ ...one })));
}

const content = (collection) => collection.find({}, { sort: { _id: 1 } }).toArray();

/** Replaces the documents of a collection, by default with those of the indexed one. Returns `false` when it rejects them. */
async function follow(collection, given) {
  const documents = given ?? (await content(indexed()));
  try {
    await collection.deleteMany({});
    if (documents.length > 0) await collection.insertMany(documents);
    return true;
  } catch {
    return false;
  }
}

const reads = ['find', 'distinct', 'count', 'aggregate', 'listIndexes'];
/** The errors that only an index causes: duplicate keys, parallel arrays. */
const ofIndexes = /error (11000|171)|"code":\{"\$numberInt":"(11000|171)"\}|"code":(11000|171)/;
// A statement on many documents that fails has changed those before the failure (manual: core/write-operations-atomicity).
// Which ones these are depends on the order of reading. The second engine rolls all of them back.
const halfDone = (step, result) =>
  result.startsWith('error') && (step.kind === 'updateMany' || step.steps?.some(({ kind }) => kind === 'updateMany'));
const partly = (step, result) =>
  halfDone(step, result) ||
  (step.kind === 'bulkWrite' && step.steps.some(({ kind }) => kind === 'updateMany') && result.includes('"code"'));

/** The one operation within a transaction or a bulk write whose results differ, if it is only one. */
function pinpointed(step, mine, theirs) {
  if (step.kind === 'transaction' && !mine.startsWith('error') && !theirs.startsWith('error')) {
    const [own, their] = [JSON.parse(mine), JSON.parse(theirs)];
    const at = own.findIndex((result, index) => result !== their[index]);
    return [{ ...step.steps[at], inTransaction: true }, own[at], their[at] ?? ''];
  }
  if (step.kind !== 'bulkWrite' || mine.startsWith('error') || theirs.startsWith('error')) return [step, mine, theirs];
  const codes = (result) => new Map(EJSON.parse(result).errors.map(({ index, code }) => [index, code]));
  const [own, their] = [codes(mine), codes(theirs)];
  const at = step.steps.findIndex((_, index) => own.get(index) !== their.get(index));
  const shown = (code) => (code === undefined ? '{}' : `error ${code}`);
  return at < 0 ? [step, mine, theirs] : [step.steps[at], shown(own.get(at)), shown(their.get(at))];
}

/** The settled difference that explains these results, if there is one. */
function settledAs(before, ...results) {
  const [step, mine, theirs] = pinpointed(...results);
  const shown = text(step);
  return differences.find(
    (one) =>
      one.step.test(shown) &&
      one.mine.test(mine) &&
      one.theirs.test(theirs) &&
      (one.given === undefined || one.given(step, before, mine, theirs)),
  );
}

async function differ(step, mine, their, before) {
  const shown = `--seed ${options.seed} --path ${tally.sequences - 1}\n${text(step)}\n  embedded: ${mine}\n  second:   ${their}`;
  if (!options.all) throw new Error(shown);
  const ops = [
    ...new Set(text(step).match(/"\$(?!number|date|oid|binary|timestamp|minKey|maxKey|regular|uuid)[a-zA-Z]+"/g) ?? []),
  ];
  const short = (result) => (result.startsWith('error') ? result : 'a result');
  const kind = `${step.kind} ${short(mine)} | ${short(their)}`;
  const entry = survey.get(kind) ?? { times: 0, ops: [], examples: [] };
  entry.times++;
  entry.examples.push({ size: ops.length * 1000 + shown.length, shown, before });
  entry.examples.sort((a, b) => a.size - b.size).splice(6);
  survey.set(kind, entry);
}

async function compareWithoutIndexes(step, mine) {
  if (['createIndex', 'dropIndex', 'listIndexes'].includes(step.kind)) return;
  if (ofIndexes.test(mine) || partly(step, mine)) {
    await follow(plain());
    return;
  }
  const without = await outcome(plain(), step);
  if (without === mine) return;
  await differ({ ...step, note: 'WITHOUT INDEXES (second = plain)' }, mine, without, '');
  await follow(plain());
}

/**
 * The result of the second engine. A transaction can fail with a WriteConflict at any time and must then be repeated
 * (manual: core/transactions-in-applications, TransientTransactionError). A conflict that does not come back is not a result.
 */
async function secondResult(step, before, mine) {
  const result = await outcome(theirs(), step);
  const conflict = /error 112 transient/;
  if (!conflict.test(result) || conflict.test(mine) || !(await follow(theirs(), before))) return result;
  tally.repeated++;
  return outcome(theirs(), step);
}

async function play({ documents, indexes, steps, restart: restartAt }) {
  if (stopped) throw new Error('stopped');
  tally.sequences++;
  await Promise.all([
    begin(indexed(), documents, indexes),
    begin(plain(), documents, []),
    begin(
      theirs(),
      documents,
      indexes.filter(({ name }) => name !== ownIndex),
    ),
  ]);
  const last = { kind: 'find', filter: {}, sort: { _id: 1 }, skip: 0, limit: 0 };
  for (const [index, step] of [...steps, last].entries()) {
    tally.steps++;
    if (restartAt !== null && index === Math.min(restartAt, steps.length)) await restart();
    const before = await content(indexed());
    const pending = outcome(indexed(), step);
    const [mine, their] = await Promise.all([pending, pending.then((result) => secondResult(step, before, result))]);
    if (/^error (?!\d|dropIndexes)/.test(their))
      throw new Error(`the second engine failed at\n${text(step)}\n  ${their}\n  before: ${text(before)}`);
    await compareWithoutIndexes(step, mine);
    let equal = mine === their;
    if (!equal) {
      if (settledAs(before, step, mine, their)) tally.settled++;
      else await differ(step, mine, their, text(before));
    }
    if ((equal && !partly(step, mine)) || reads.includes(step.kind)) continue;
    if (!(await follow(theirs()))) {
      tally.ended++;
      return;
    }
  }
}

let stopped = false;
process.once('SIGTERM', () => (stopped = true));
await open();
const started = performance.now();
const result = await fc.check(fc.asyncProperty(sequence, play), {
  numRuns: Number(options.runs),
  seed: Number(options.seed),
  ...(options.path === undefined ? {} : { path: options.path }),
  endOnFailure: options.all,
  interruptAfterTimeLimit: 3_600_000,
  markInterruptAsFailure: true,
});
await second
  .db(database)
  .dropDatabase()
  .catch(() => undefined);
await Promise.all([own.close(), second.close()]);
await store.close();
rmSync(path, { recursive: true, force: true });
for (const [kind, { times, examples }] of [...survey].sort(([, a], [, b]) => b.times - a.times)) {
  process.stdout.write(`\n##### ${times} x ${kind}\n`);
  for (const { shown, before } of examples)
    process.stdout.write(`${shown}\n${before ? `  before:   ${before}\n` : ''}`);
}
if (result.failed && !stopped) {
  process.stdout.write(
    `--seed ${result.seed} --path ${result.counterexamplePath}, after ${result.numRuns} sequences and ${result.numShrinks} shrinks\n${text(result.counterexample)}\n${result.errorInstance?.message ?? ''}\n`,
  );
  process.exitCode = 1;
} else {
  process.stdout.write(
    `${stopped ? 'stopped: ' : ''}${stopped ? tally.sequences : result.numRuns} sequences ${survey.size > 0 ? 'compared' : 'equal'}, ${tally.steps} steps, ${tally.restarts} restarts, ${tally.settled} settled differences met, ${tally.repeated} conflicts repeated, ${tally.ended} sequences ended at one, seed ${result.seed}, ${Math.round((performance.now() - started) / 1000)} s\n`,
  );
  if (survey.size > 0) process.exitCode = 1;
}
