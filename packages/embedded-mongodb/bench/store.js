// Measures the embedded store (`npm run long -- store-bench`): findOne by an index next to ping, durable inserts of 32 clients, a find
// by an index in a large and in a small collection, and a slow aggregation with its effect on other clients. It runs the
// compiled store (`dist`, or the folder in STORE_DIST) in its worker thread, on the Unix socket, as the service does. It
// prints one line for each figure.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import mongoose from 'mongoose';

const dist = resolve(process.env.STORE_DIST ?? join(import.meta.dirname, '../dist'));
const { startEmbeddedStore } = await import(pathToFileURL(join(dist, 'index.js')).href);
const large = Number(process.argv[2] ?? 1_000_000);
const path = mkdtempSync(join(tmpdir(), 'store-bench-'));
const say = (text) => process.stdout.write(`${text}\n`);

const store = await startEmbeddedStore({ path });
const connection = await mongoose
  .createConnection(store.uri, { dbName: 'bench', maxPoolSize: 50, autoIndex: false, writeConcern: { w: 'majority' } })
  .asPromise();
const Small = connection.model(
  'Small',
  new mongoose.Schema({ code: String, n: Number, at: Date, text: String }),
  'small',
);
const Large = connection.model('Large', Small.schema, 'large');
const Filled = connection.model('Filled', Small.schema, 'filled');

/** Operations per second of `run`, one after the other, for about two seconds. The better of two rounds. */
async function rate(run) {
  let best = 0;
  for (let round = 0; round < 2; round++) {
    const start = performance.now();
    let count = 0;
    while (performance.now() - start < 2000) await run(count++);
    best = Math.max(best, (count / (performance.now() - start)) * 1000);
  }
  return best;
}

const documents = (from, count) =>
  Array.from({ length: count }, (_, i) => ({
    code: `code-${from + i}`,
    n: from + i,
    at: new Date(),
    text: 'some text that a document has',
  }));
for (const model of [Small, Large, Filled])
  await model.collection.createIndexes([{ key: { code: 1 }, unique: true }, { key: { n: 1 } }]);
await Small.collection.insertMany(documents(0, 1000));

const pings = await rate(() => connection.db.command({ ping: 1 }));
const finds = await rate((i) => Small.findOne({ code: `code-${i % 1000}` }).lean());
say(
  `ping ${Math.round(pings)}/s, indexed findOne (mongoose lean) ${Math.round(finds)}/s: ${Math.round((finds / pings) * 100)} %`,
);

let inserted = 0;
const start = performance.now();
await Promise.all(
  Array.from({ length: 32 }, async (_, client) => {
    while (performance.now() - start < 3000) {
      await Filled.collection.insertOne({
        code: `new-${client}-${inserted}`,
        n: inserted,
        at: new Date(),
        text: 'some text that a document has',
      });
      inserted++;
    }
  }),
);
say(`durable inserts from 32 clients, two indexes: ${Math.round((inserted / (performance.now() - start)) * 1000)}/s`);

const filling = performance.now();
for (let from = 0; from < large; from += 10_000)
  await Large.collection.insertMany(documents(from, Math.min(10_000, large - from)));
say(`${large} documents inserted in ${((performance.now() - filling) / 1000).toFixed(1)} s`);
const few = await rate((i) => Small.findOne({ code: `code-${(i * 7919) % 1000}` }).lean());
const many = await rate((i) => Large.findOne({ code: `code-${(i * 7919) % large}` }).lean());
say(
  `find by index: ${Math.round(few)}/s in 1000 documents, ${Math.round(many)}/s in ${large}: ${(few / many).toFixed(2)} times`,
);

/** What `work` returns, how long it took (ms), and by how much resident memory grew at most (MiB). */
async function watched(work) {
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 10);
  const began = performance.now();
  const answer = await work();
  const ms = Math.round(performance.now() - began);
  clearInterval(watch);
  return { answer, ms, grown: Math.round((peak - before) / 2 ** 20) };
}

/** Latencies (ms) of finds by an index, one after the other, until `ended` is true: median, 99th percentile, longest. */
async function latencies(ended) {
  const taken = [];
  for (let i = 0; !ended(); i++) {
    const began = performance.now();
    await Small.findOne({ code: `code-${i % 1000}` }).lean();
    taken.push(performance.now() - began);
  }
  taken.sort((a, b) => a - b);
  const at = (share) => (taken[Math.min(taken.length - 1, Math.floor(taken.length * share))] ?? 0).toFixed(1);
  return `${taken.length} finds, median ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`;
}

const quiet = performance.now() + 3000;
say(`a second client, nothing else running: ${await latencies(() => performance.now() > quiet)}`);
let grouping = true;
const few10 = [{ $group: { _id: { $mod: ['$n', 10] }, count: { $sum: 1 }, mean: { $avg: '$n' } } }];
const [group, beside] = await Promise.all([
  watched(() => Large.collection.aggregate(few10).toArray()).finally(() => (grouping = false)),
  latencies(() => !grouping),
]);
say(`$group of ${large} into ${group.answer.length}: ${group.ms} ms, memory +${group.grown} MiB; meanwhile ${beside}`);
const everything = [{ $group: { _id: '$code', all: { $push: '$$ROOT' } } }];
const refused = await watched(() =>
  Large.collection
    .aggregate(everything)
    .toArray()
    .catch(({ code }) => code),
);
const outcome = Array.isArray(refused.answer) ? `${refused.answer.length} groups` : `error ${refused.answer}`;
say(`$group of ${large} that keeps everything: ${outcome} after ${refused.ms} ms, memory +${refused.grown} MiB`);

await connection.close();
await store.close();
rmSync(path, { recursive: true, force: true });
