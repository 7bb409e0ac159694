import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Collection, type Document, MongoClient } from 'mongodb';
import { createConnection, Schema } from 'mongoose';
import { itMounts, mountMemory } from '../test/support/file-systems.js';
import { StoreServer } from './server.js';
import { isWhole } from './storage/datafile.js';

type Item = Document & { _id: number };

let path: string;
const undo: (() => unknown)[] = [];

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'store-'));
  undo.push(() => rmSync(path, { recursive: true, force: true }));
});
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** Gives the data directory a file system of its own. */
function mountOwn(options: string): void {
  undo.push(mountMemory(path, options));
}

/** The number of the last page that a data file has used. */
const lastPageOf = (file: Buffer): number =>
  Math.max(...[0, file.readUInt32LE(48)].map((meta) => Number(file.readBigUInt64LE(meta + 144))));

const isRoot = process.getuid?.() === 0;

async function serve(): Promise<{ store: StoreServer; c: Collection<Item>; end: () => Promise<void> }> {
  const store = await StoreServer.start({ path, port: 0 });
  const client = new MongoClient(store.uri);
  let ended: Promise<void> | undefined;
  const end = (): Promise<void> => (ended ??= client.close().then(() => store.close()));
  undo.push(end);
  return { store, c: client.db('shop').collection('c'), end };
}

const big = 'x'.repeat(20_000);

describe('a directory that cannot be used', () => {
  // Permissions do not stop root, so root needs a file system that is read-only.
  (isRoot ? itMounts : it)(
    'rejects a directory that it cannot write at the start, and leaves nothing in it',
    async () => {
      if (isRoot) mountOwn('ro,size=1m');
      else chmodSync(path, 0o555);
      await expect(StoreServer.start({ path, port: 0 })).rejects.toThrow(
        `The data directory ${path} can't be written: `,
      );
    },
  );

  itMounts('rejects a directory on a full disk at the start, and accepts it once there is space', async () => {
    mountOwn('size=1m');
    const ballast = join(path, 'ballast');
    writeFileSync(ballast, Buffer.alloc(900_000));
    await expect(StoreServer.start({ path, port: 0 })).rejects.toThrow(`can't be written: The disk of ${path} is full`);
    rmSync(ballast);
    const { c } = await serve();
    expect(await c.insertOne({ _id: 1 })).toMatchObject({ acknowledged: true });
  });

  it('rejects a data file of another program', async () => {
    for (const content of [Buffer.from('not ours'), Buffer.alloc(20_000, 7)]) {
      writeFileSync(join(path, 'data.mdb'), content);
      await expect(StoreServer.start({ path, port: 0 })).rejects.toThrow('is not a data file of this store');
    }
  });

  it('rejects a data file that was cut off anywhere, and accepts it when the whole file is back', async () => {
    const { c, end } = await serve();
    await c.insertMany(Array.from({ length: 100 }, (_, _id) => ({ _id, text: big.slice(0, _id * 200) })));
    await end();
    const file = join(path, 'data.mdb');
    const whole = readFileSync(file);
    const used = (lastPageOf(whole) + 1) * whole.readUInt32LE(48);
    for (const length of [1, 100, 4096, 8191, 8192, 8193, used / 2, used - 4096, used - 1]) {
      writeFileSync(file, whole.subarray(0, length));
      await expect(StoreServer.start({ path, port: 0 })).rejects.toThrow('is not a data file of this store');
    }
    writeFileSync(file, whole);
    expect(await (await serve()).c.countDocuments({ _id: { $gte: 0 } })).toBe(100);
  });

  it('accepts a data file that lacks only free pages at its end', async () => {
    const { c, store, end } = await serve();
    // Each commit frees pages that a later one uses instead of new ones at the end.
    for (let _id = 0; _id < 3; _id++) await c.insertOne({ _id });
    const { disk } = store['server'].engine;
    const keys = Array.from({ length: 2000 }, (_, n) => Buffer.from(`Z${n}`));
    await disk.write(() => {
      for (const key of keys) disk.put(key, Buffer.alloc(1000));
      for (const key of keys) disk.remove(key);
    });
    await end();
    const file = join(path, 'data.mdb');
    const content = readFileSync(file);
    writeFileSync(file, content.subarray(0, (lastPageOf(content) - 100) * content.readUInt32LE(48)));
    expect(isWhole(file)).toBe(true);
  });

  it('rejects a data directory that is a file', async () => {
    const file = join(path, 'file');
    writeFileSync(file, '');
    await expect(StoreServer.start({ path: file, port: 0 })).rejects.toThrow(`The data directory ${file} can't be`);
  });
});

/** Starts the store as a process of its own, so that it can be killed. */
async function spawned(port: number): Promise<{ child: ChildProcess; uri: string; port: number }> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '../dist/cli.js'), '--path', path, '--port', String(port)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const uri = line.toString().trim();
  return { child, uri, port: Number(new URL(uri).port) };
}
async function killed({ child }: { child: ChildProcess }): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

describe('a store that is killed and started again', () => {
  it('applies each write of a connected driver exactly once, however often the store is killed', async () => {
    let running = await spawned(0);
    undo.push(() => killed(running));
    const connection = await createConnection(running.uri, { dbName: 'shop' }).asPromise();
    undo.push(() => connection.close());
    const Log = connection.model('Log', new Schema({ _id: Number, seen: [Number] }));
    await Log.create({ _id: 1, seen: [] });
    const acknowledged = new Set<number>();
    const state = { going: true, next: 0 };
    const work = Promise.all(
      Array.from({ length: 8 }, async () => {
        while (state.going) {
          const number = state.next++;
          const sent = Log.updateOne({ _id: 1 }, { $push: { seen: number } }).exec();
          // A driver repeats a write once. If the next kill also hits the repetition, it is unknown whether the write was applied.
          await sent.then(
            () => acknowledged.add(number),
            (error: unknown) => expect(String(error)).toMatch('MongoNetworkError'),
          );
        }
      }),
    );
    const thirtyMore = async (): Promise<void> => {
      const [before, deadline] = [acknowledged.size, Date.now() + 20_000];
      while (acknowledged.size < before + 30 && Date.now() < deadline) await pause(5);
      expect(acknowledged.size).toBeGreaterThanOrEqual(before + 30);
    };
    for (let kills = 0; kills < 3; kills++) {
      await thirtyMore();
      await killed(running);
      running = await spawned(running.port);
    }
    await thirtyMore();
    state.going = false;
    await work;
    const stored = (await Log.findById(1).lean())?.seen ?? [];
    expect(stored).toHaveLength(new Set(stored).size);
    expect([...acknowledged].filter((number) => !stored.includes(number))).toEqual([]);
  });
});

describe('a cursor that no client reads', () => {
  it('closes an unread cursor after ten minutes, or with noCursorTimeout when its session ends', async () => {
    const { store, c } = await serve();
    await c.insertMany(Array.from({ length: 10 }, (_, _id) => ({ _id })));
    const [plain, patient] = [{}, { noCursorTimeout: true }].map((options) => c.find({}, { batchSize: 2, ...options }));
    if (!plain || !patient) throw new Error('two cursors');
    await plain.next();
    await patient.next();
    const { cursors } = store['server'];
    cursors.expire(performance.now() + 9 * 60_000);
    expect(cursors.size).toBe(2);
    cursors.expire(performance.now() + 11 * 60_000);
    await expect(plain.toArray()).rejects.toMatchObject({ code: 43, codeName: 'CursorNotFound' });
    cursors.expire(performance.now() + 29 * 60_000);
    expect(await patient.toArray()).toHaveLength(9);
  });
});

describe('memory', () => {
  it('uses no more memory for a larger collection that $match and $group read', async () => {
    const { c } = await serve();
    for (let i = 0; i < 40; i++)
      await c.insertMany(
        Array.from({ length: 500 }, (_, at) => ({ _id: i * 500 + at, n: at % 7, big: big.slice(0, 8000) })),
      );
    const held = (): number => {
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const before = held();
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, held())), 5);
    const groups = await c
      .aggregate([{ $match: { _id: { $gte: 0 } } }, { $group: { _id: '$n', sum: { $sum: 1 } } }])
      .toArray();
    clearInterval(watch);
    expect(groups.reduce((sum, group) => sum + Number(group['sum']), 0)).toBe(20_000);
    expect((most - before) / 1e6).toBeLessThan(100); // of 160 MB
  });
});
