// `npm run long -- store-crash [COUNT]`: kills the store (kill -9) at COUNT random moments (default 20), during concurrent writes,
// transactions and the creation of indexes on many documents. After each restart it checks that every acknowledged write is
// there, and that no transaction is applied in part and no index is broken or incomplete.
// It runs the compiled store in dist, or in the folder that STORE_DIST names.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { checkDirectory } from './check.js';

const dist = resolve(process.env.STORE_DIST ?? join(import.meta.dirname, '../../dist'));
const times = Number(process.argv[2] ?? 20);
const path = mkdtempSync(join(tmpdir(), 'store-crash-'));
const [writers, movers, accounts, each, many] = [8, 6, 10, 100, 50_000];
const indexes = [{ key: { n: 1 } }, { key: { tags: 1 } }];

/** Starts the store as a process of its own. Returns the process and its connection string. */
async function start() {
  const child = spawn(process.execPath, [join(dist, 'cli.js'), '--path', path, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [uri] = await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error('the store did not start on the data of the killed one'))),
  ]);
  return { child, uri: String(uri).trim() };
}

const connect = (uri) => new MongoClient(uri, { serverSelectionTimeoutMS: 2000, retryWrites: true });
const acknowledged = { inserted: new Set(), pairs: new Set(), increments: 0, moves: 0, built: false };
const builds = { whole: 0, cut: 0 };
let next = 0;
let attempted = 0;

/** Writes until the store is killed. Only acknowledged writes are counted. */
async function write(db, alive) {
  while (alive.yes) {
    const n = next++;
    try {
      if (n % 3 === 0) {
        attempted++;
        await db
          .collection('counters')
          .updateOne({ _id: n % 2 }, { $inc: { v: 1 }, $push: { last: { $each: [n], $slice: -5 } } }, { upsert: true });
        acknowledged.increments++;
      } else {
        if (n % 4 === 0) await db.collection('many').updateOne({ _id: n % many }, { $set: { n: -n, tags: [n] } });
        await db
          .collection('entries')
          .insertOne({ _id: n, code: `c${n}`, group: n % 7, tags: [`a${n % 5}`, `b${n % 3}`] });
        acknowledged.inserted.add(n);
        if (n % 5 === 0)
          await db
            .collection('entries')
            .updateOne({ _id: n }, { $set: { group: 100 + (n % 7) }, $push: { tags: 'x' } });
      }
    } catch {
      await sleep(1); // the store was killed, and nobody knows whether this write was applied
    }
  }
}

/** Moves amounts between accounts and writes two entries, of which never only one may exist. */
async function move(client, db, alive) {
  while (alive.yes) {
    const n = next++;
    try {
      await client.withSession((session) =>
        session.withTransaction(
          async () => {
            const [from, to] = [Math.floor(Math.random() * accounts), Math.floor(Math.random() * accounts)];
            await db.collection('accounts').updateOne({ _id: from }, { $inc: { v: -1 } }, { session });
            await db.collection('accounts').updateOne({ _id: to }, { $inc: { v: 1 } }, { session });
            await db.collection('pairs').insertMany(
              [
                { pair: n, side: 'a' },
                { pair: n, side: 'b' },
              ],
              { session },
            );
          },
          { timeoutMS: 2000 },
        ),
      );
      acknowledged.pairs.add(n);
      acknowledged.moves++;
    } catch {
      await sleep(1);
    }
  }
}

/** Creates two indexes in one command. Drops them first when they exist. */
async function build(db) {
  try {
    if (acknowledged.built) {
      acknowledged.built = false;
      await db.collection('many').dropIndexes();
    }
    builds.cut++;
    await db.collection('many').createIndexes(indexes);
    acknowledged.built = true;
    builds.cut--;
    builds.whole++;
  } catch {
    // the store was killed, and nobody knows whether the indexes exist
  }
}

async function prepare(db) {
  await db
    .collection('entries')
    .createIndexes([
      { key: { code: 1 }, unique: true },
      { key: { group: 1, _id: -1 } },
      { key: { tags: 1 } },
      { key: { group: 1 }, name: 'partial', partialFilterExpression: { group: { $gte: 100 } } },
    ]);
  await db.collection('pairs').createIndexes([{ key: { pair: 1, side: 1 }, unique: true }]);
  for (let from = 0; from < many; from += 10_000)
    await db
      .collection('many')
      .insertMany(Array.from({ length: 10_000 }, (_, i) => ({ _id: from + i, n: i, tags: [i % 10, -i] })));
  await db.collection('accounts').insertMany(Array.from({ length: accounts }, (_, _id) => ({ _id, v: each })));
}

/** The problems of the data after a restart. */
async function verify(db) {
  const problems = [];
  const stored = new Set(
    (
      await db
        .collection('entries')
        .find({}, { projection: { _id: 1 } })
        .toArray()
    ).map(({ _id }) => _id),
  );
  for (const n of acknowledged.inserted) if (!stored.has(n)) problems.push(`lost: entry ${n}`);
  const sides = new Map();
  for (const { pair } of await db.collection('pairs').find().toArray()) sides.set(pair, (sides.get(pair) ?? 0) + 1);
  for (const [pair, count] of sides) if (count !== 2) problems.push(`half a transaction: pair ${pair}`);
  for (const n of acknowledged.pairs) if (!sides.has(n)) problems.push(`lost: transaction ${n}`);
  const sum = (rows) => rows.reduce((total, { v }) => total + v, 0);
  const total = sum(await db.collection('accounts').find().toArray());
  if (total !== accounts * each) problems.push(`the accounts' sum is ${total}`);
  const counted = sum(await db.collection('counters').find().toArray());
  if (counted < acknowledged.increments || counted > attempted)
    problems.push(`${acknowledged.increments} increments acknowledged of ${attempted}, ${counted} stored`);
  const made = (await db.collection('many').indexes()).length - 1;
  if (made !== indexes.length && (made > 0 || acknowledged.built))
    problems.push(`${made} of ${indexes.length} indexes`);
  acknowledged.built = made > 0;
  return problems;
}

const problems = [];
for (let round = 0; round <= times; round++) {
  const { child, uri } = await start();
  const client = connect(uri);
  const db = client.db('crash');
  if (round === 0) await prepare(db);
  problems.push(...(await verify(db)));
  const alive = { yes: true };
  const work = [
    ...Array.from({ length: writers }, () => write(db, alive)),
    ...Array.from({ length: movers }, () => move(client, db, alive)),
  ];
  const building = build(db);
  if (round % 10 === 4) await building;
  else await sleep(round === times ? 50 : 20 + Math.random() * 300);
  child.kill('SIGKILL');
  alive.yes = false;
  await once(child, 'exit');
  await client.close(true);
  await Promise.all([...work, building]);
  problems.push(...(await checkDirectory(dist, path)));
  process.stdout.write(
    `\r${round} of ${times} kills, ${acknowledged.inserted.size} inserts, ${acknowledged.increments} increments and ${acknowledged.moves} transactions acknowledged, ${builds.whole} pairs of indexes made and ${builds.cut} cut off, ${problems.length} problems`,
  );
}
process.stdout.write('\n');
for (const problem of problems.slice(0, 20)) process.stdout.write(`${problem}\n`);
rmSync(path, { recursive: true, force: true });
process.exitCode = problems.length > 0 ? 1 : 0;
