// `npm run long -- store-full-disk [RUNS]`: each run serves a store from a file system of 4 MB (tmpfs) or 16 MB (ext4), with 8 or 16
// clients that write while the file system fills up and gets space again. At the end the process must live, every
// acknowledged write must be there, and every index must be whole. Needs the right to mount file systems.
// It runs the compiled store in dist, or in the folder that STORE_DIST names.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { checkDirectory } from '../crash/check.js';

const dist = resolve(process.env.STORE_DIST ?? join(import.meta.dirname, '../../dist'));
const runs = Number(process.argv[2] ?? 6);
const runMs = Number(process.env.RUN_SECONDS ?? 20) * 1000;
const page = Buffer.alloc(4096);

/** Mounts a small file system on a new directory. Returns the directory and how to remove both. */
function mounted(kind) {
  const path = mkdtempSync(join(tmpdir(), 'store-full-'));
  const image = `${path}.img`;
  if (kind === 'tmpfs') execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', path]);
  else {
    execFileSync('truncate', ['-s', '16M', image]);
    execFileSync('mkfs.ext4', ['-q', '-F', image]);
    execFileSync('mount', ['-o', 'loop', image, path]);
  }
  const remove = () => {
    execFileSync('umount', [path]);
    rmSync(path, { recursive: true });
    rmSync(image, { force: true });
  };
  return { path, remove };
}

function fillUp(file) {
  try {
    for (;;) appendFileSync(file, page);
  } catch (error) {
    if (error.code !== 'ENOSPC') throw error;
  }
}

/** Returns the problems of one run, and what happened in it. */
async function run(kind, clients) {
  const { path, remove } = mounted(kind);
  const store = spawn(process.execPath, [join(dist, 'cli.js'), '--path', join(path, 'store'), '--port', '0']);
  const exit = once(store, 'exit');
  let errors = '';
  store.stderr.on('data', (bytes) => (errors += bytes));
  const [uri] = await once(store.stdout, 'data');
  const client = new MongoClient(String(uri).trim());
  const c = client.db('shop').collection('items');
  await c.createIndexes([{ key: { n: 1 }, unique: true }, { key: { tags: 1 } }]);

  const [end, acknowledged, problems] = [Date.now() + runMs, new Set(), []];
  const counts = { rejected: 0, resumed: 0, reads: 0 };
  let next = 0;
  const goesOn = () => Date.now() < end && store.exitCode === null && store.signalCode === null;
  /** Removes a range of documents. Whether it succeeds or not, none of them is expected any more. */
  const removeOld = async (below) => {
    for (const id of acknowledged) if (Math.abs(id) < below) acknowledged.delete(id);
    await c.deleteMany({ _id: { $gt: -below, $lt: below } });
  };
  const write = async () => {
    while (goesOn()) {
      const id = ++next;
      try {
        if (id % 5 === 0)
          await client.withSession((session) =>
            session.withTransaction(() =>
              c.insertMany(
                [
                  { _id: id, n: id, tags: ['a', id] },
                  { _id: -id, n: -id, tags: [] },
                ],
                { session },
              ),
            ),
          );
        else await c.insertOne({ _id: id, n: id, tags: 'x'.repeat(id % 7 === 0 ? 6000 : 200) });
        acknowledged.add(id);
        if (id % 100 === 0) await removeOld(id - 400);
      } catch (error) {
        if (error.code === 14031) counts.rejected++;
        else if (goesOn()) problems.push(`a write: ${error.message}`);
      }
    }
  };
  const read = async () => {
    while (goesOn()) {
      await c.countDocuments({ n: { $gte: 0 } }).then(
        () => counts.reads++,
        (error) => goesOn() && problems.push(`a read: ${error.message}`),
      );
      await sleep(5);
    }
  };
  const ballast = async () => {
    while (goesOn()) {
      fillUp(join(path, 'ballast'));
      await sleep(Math.random() * 600);
      const { size } = acknowledged;
      rmSync(join(path, 'ballast'));
      await sleep(300);
      if (acknowledged.size !== size) counts.resumed++;
    }
  };
  await Promise.all([...Array.from({ length: clients }, write), read(), ballast()]);

  if (store.exitCode !== null || store.signalCode !== null) problems.push('the store ended');
  else {
    const stored = new Set((await c.find({}, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id));
    for (const id of acknowledged) if (!stored.has(id)) problems.push(`lost: ${id}`);
    for (const id of stored) if (id < 0 && !stored.has(-id)) problems.push(`half a transaction: ${id}`);
    if (counts.resumed === 0) problems.push('no write succeeded after the disk had space again');
  }
  await client.close();
  store.kill('SIGTERM');
  await exit;
  if (errors !== '') problems.push(`stderr: ${errors.slice(0, 200)}`);
  problems.push(...(await checkDirectory(dist, join(path, 'store'))));
  remove();
  return { problems, acknowledged: acknowledged.size, attempted: next, ...counts };
}

let failed = false;
for (let i = 0; i < runs; i++) {
  const [kind, clients] = [i % 2 === 0 ? 'tmpfs' : 'ext4', i % 4 < 2 ? 8 : 16];
  const { problems, ...counts } = await run(kind, clients);
  failed ||= problems.length > 0;
  console.log(`${i + 1} of ${runs}, ${kind}, ${clients} clients: ${JSON.stringify(counts)}`, problems.slice(0, 10));
}
process.exitCode = failed ? 1 : 0;
