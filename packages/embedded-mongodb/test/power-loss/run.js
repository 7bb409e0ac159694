// `npm run long -- store-power-loss [COUNT]`: records (strace) what the store writes to its file while clients write to the store, and
// makes COUNT images (default 100) of the file as a power loss at a random moment can leave it: everything that was synced, and any
// of the 512-byte sectors that were not. From each image the store must start, have every acknowledged write and no part of
// another one, and have whole indexes. Needs strace, on Linux.
// It runs the compiled store in dist, or in the folder that STORE_DIST names.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { MongoClient } from 'mongodb';
import { checkDirectory } from '../crash/check.js';
import { Image } from './image.js';
import { readRecording, recorded } from './recording.js';
import { prepare, problemsOf, write } from './workload.js';

const dist = resolve(process.env.STORE_DIST ?? join(import.meta.dirname, '../../dist'));
const count = Number(process.argv[2] ?? 100);
const recordMs = Number(process.env.RECORD_SECONDS ?? 15) * 1000;
const WRITERS = 8;
/** Ends a wait for a broken store, which never responds. */
const PATIENCE_MS = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'store-power-loss-'));
const [data, base, trace, copy] = ['data', 'base', 'trace', 'copy'].map((name) => join(folder, name));
const fileIn = (directory) => join(directory, 'data.mdb');

/** Serves a directory. @param wrap the command that runs it */
async function start(path, wrap = (command) => command) {
  const [command, ...parameters] = wrap([process.execPath, join(dist, 'cli.js'), '--path', path, '--port', '0']);
  const child = spawn(command, parameters, { stdio: ['ignore', 'pipe', 'inherit'] });
  // After this event nobody writes to the output any more, the recorder neither.
  const closed = once(child, 'close');
  const [uri] = await Promise.race([
    once(child.stdout, 'data'),
    closed.then(() => Promise.reject(new Error('the store did not start'))),
  ]);
  const client = new MongoClient(String(uri).trim(), { socketTimeoutMS: PATIENCE_MS, retryReads: false });
  const stop = async (signal = 'SIGTERM') => {
    await client.close();
    child.kill(signal);
    await closed;
  };
  return { client, db: client.db('shop'), stop };
}

async function record() {
  const first = await start(data);
  await prepare(first.db);
  await first.stop();
  cpSync(data, base, { recursive: true, filter: (path) => !path.includes('owner-') });
  mkdirSync(trace);
  const { client, db, stop } = await start(data, (command) => recorded(join(trace, 'thread'), command));
  const end = Date.now() + recordMs;
  const writers = Array.from({ length: WRITERS }, (_, writer) => write(client, db, writer, () => Date.now() < end));
  const operations = await Promise.all(writers);
  await stop();
  return { operations, events: await readRecording(trace, fileIn(data)) };
}

/** The problems of the store that starts from an image. */
async function problemsAfter(bytes, operations, at) {
  rmSync(copy, { recursive: true, force: true });
  cpSync(base, copy, { recursive: true });
  writeFileSync(fileIn(copy), bytes);
  try {
    const { db, stop } = await start(copy);
    try {
      const problems = await Promise.all(operations.map((one, writer) => problemsOf(db, writer, one, at)));
      if (problems.flat().length > 0) return problems.flat();
    } finally {
      await stop('SIGKILL');
    }
    return await checkDirectory(dist, copy);
  } catch (error) {
    return [error.message];
  }
}

function* imagesOf(events, moments) {
  const image = new Image(readFileSync(fileIn(base)));
  for (const [index, event] of events.entries()) {
    for (const moment of moments) if (moment === index) yield { at: event.at, ...image.torn(event) };
    image.apply(event);
  }
  const isSame = image.whole().equals(readFileSync(fileIn(data)));
  assert.ok(isSame, 'the recording is not complete: it does not make the file of the store');
}

async function main() {
  const { operations, events } = await record();
  const firstAt = Math.min(...operations.map(([{ acknowledged }]) => acknowledged));
  const first = events.findIndex(({ at }) => at > firstAt);
  const moments = Array.from({ length: count }, () => first + Math.floor(Math.random() * (events.length - first)));
  const tally = { images: 0, whole: 0, acknowledged: 0, pending: 0, lost: 0 };
  for (const { bytes, at, pending, kept } of imagesOf(events, moments)) {
    const problems = await problemsAfter(bytes, operations, at);
    tally.images++;
    if (problems.length === 0) tally.whole++;
    tally.acknowledged += operations.flat().filter(({ acknowledged }) => acknowledged <= at).length;
    tally.pending += pending;
    tally.lost += pending - kept;
    for (const problem of problems.slice(0, 3)) console.log(`image ${tally.images}: ${problem}`);
  }
  const syncs = events.filter(({ isSync }) => isSync).length;
  console.log(
    `${events.length - syncs} writes to the file and ${syncs} syncs recorded during ${operations.flat().length} operations; ` +
      `${tally.whole} of ${tally.images} images start and have each of ${tally.acknowledged} acknowledged operations; ` +
      `${tally.lost} of ${tally.pending} sectors under way were lost`,
  );
  process.exitCode = tally.whole === tally.images ? 0 : 1;
}

if (spawnSync('strace', ['--version']).status === 0) {
  await main();
  rmSync(folder, { recursive: true });
} else console.log('Left out: there is no strace.');
