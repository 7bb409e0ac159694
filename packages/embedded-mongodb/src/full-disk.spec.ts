import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Collection, type Document, MongoClient } from 'mongodb';
import { itMounts, mountMemory } from '../test/support/file-systems.js';
import { StoreServer } from './server.js';

type Item = Document & { _id: number };

const cli = join(import.meta.dirname, '../dist/cli.js');
const big = 'x'.repeat(20_000);
let path: string;
const undo: (() => unknown)[] = [];

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'store-'));
  undo.push(() => rmSync(path, { recursive: true, force: true }));
});
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function serve(): Promise<{ store: StoreServer; c: Collection<Item>; end: () => Promise<void> }> {
  const store = await StoreServer.start({ path, port: 0 });
  const client = new MongoClient(store.uri);
  let ended: Promise<void> | undefined;
  const end = (): Promise<void> => (ended ??= client.close().then(() => store.close()));
  undo.push(end);
  return { store, c: client.db('shop').collection('c'), end };
}

/** Writes to a file until the file system has no byte left. */
function fillUp(file: string): void {
  const page = Buffer.alloc(4096);
  for (;;) {
    try {
      appendFileSync(file, page);
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' });
      return;
    }
  }
}

describe('a full disk', () => {
  itMounts(
    'rejects writes with OutOfDiskSpace (14031), allows reads, breaks nothing, and writing works again once there is space',
    async () => {
      undo.push(mountMemory(path, 'size=3m'));
      const ballast = join(path, 'ballast');
      writeFileSync(ballast, Buffer.alloc(1_000_000));
      const { c, end } = await serve();
      await c.createIndexes([{ key: { u: 1 }, unique: true }]);
      let next = 0;
      const insert = (): Promise<unknown> => c.insertOne({ _id: next, u: next, big });
      for (;;) {
        const failure = await insert().catch((error: unknown) => error);
        if (failure instanceof Error) {
          expect(failure).toMatchObject({ code: 14031, codeName: 'OutOfDiskSpace' });
          break;
        }
        expect(++next).toBeLessThan(200);
      }
      await expect(insert()).rejects.toMatchObject({ code: 14031 });
      await expect(
        c.insertMany([
          { _id: 1000, u: 'a' },
          { _id: 1001, u: 'b', big: big.repeat(40) },
        ]),
      ).rejects.toMatchObject({
        code: 14031,
      });
      await expect(
        c.db.client.withSession(async (session) => {
          session.startTransaction();
          await c.insertOne({ _id: 2000, big }, { session });
          await session.commitTransaction();
        }),
      ).rejects.toMatchObject({ code: 14031 });
      expect(await c.countDocuments({ u: { $gte: 0 } })).toBe(next);
      expect(await c.findOne({ u: next - 1 })).toMatchObject({ _id: next - 1 });
      rmSync(ballast);
      expect(await insert()).toMatchObject({ insertedId: next });
      expect(await c.countDocuments({ u: { $gte: 0 } })).toBe(next + 1);
      await end();
      const again = await serve();
      expect(await again.c.countDocuments({ u: { $gte: 0 } })).toBe(next + 1);
      expect(await again.c.countDocuments({ _id: { $in: [1000, 1001, 2000] } })).toBe(0);
    },
  );

  itMounts('ends no process and loses no write while eight clients write and it fills up again and again', async () => {
    undo.push(mountMemory(path, 'size=4m'));
    const store = spawn(process.execPath, [cli, '--path', join(path, 'store'), '--port', '0']);
    const ended = once(store, 'exit');
    undo.push(() => (store.kill('SIGKILL'), ended));
    const errors = text(store.stderr); // LMDB prints each write that the disk refuses
    const [line] = (await once(store.stdout, 'data')) as [Buffer];
    const client = new MongoClient(String(line).trim());
    undo.push(() => client.close());
    const c = client.db('shop').collection<Item>('c');
    await c.createIndexes([{ key: { n: 1 }, unique: true }]);

    const acknowledged = new Set<number>();
    const state = { going: true, next: 0, refused: 0 };
    const unexpected: unknown[] = [];
    const write = async (): Promise<void> => {
      for (let _id; state.going && unexpected.length === 0;) {
        _id = state.next++;
        try {
          await c.insertOne({ _id, n: _id, text: big.slice(0, _id % 7 === 0 ? 6000 : 100) });
          acknowledged.add(_id);
          if (acknowledged.size % 100 === 0) await c.deleteMany({ text: big.slice(0, 6000) });
        } catch (error) {
          if (String(error).includes('is full')) state.refused++;
          else unexpected.push(error);
        }
      }
    };
    const writers = Promise.all(Array.from({ length: 8 }, write));
    const until = async (done: () => boolean): Promise<void> => {
      while (!done() && unexpected.length === 0) await pause(5);
      expect(unexpected).toEqual([]);
    };
    const thirtyMore = (size = acknowledged.size): Promise<void> => until(() => acknowledged.size >= size + 30);
    await thirtyMore();
    for (let round = 0; round < 6; round++) {
      const { refused } = state;
      fillUp(join(path, 'ballast'));
      await until(() => state.refused >= refused + 30);
      expect(await c.countDocuments({ n: { $gte: 0 } })).toBeGreaterThan(0);
      rmSync(join(path, 'ballast'));
      await thirtyMore();
    }
    state.going = false;
    await writers;
    const stored = new Set((await c.find().toArray()).map(({ _id }) => _id));
    expect([...acknowledged].filter((_id) => _id % 7 !== 0 && !stored.has(_id))).toEqual([]);
    store.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(await errors).toBe('');
  });

  itMounts('does not keep a store from starting: it serves reads, and writes once there is space', async () => {
    undo.push(mountMemory(path, 'size=3m'));
    const before = await serve();
    await before.c.insertOne({ _id: 1 });
    await before.end();
    fillUp(join(path, 'ballast'));
    const { c } = await serve();
    expect(await c.find().toArray()).toEqual([{ _id: 1 }]);
    await expect(c.insertOne({ _id: 2 })).rejects.toMatchObject({ code: 14031 });
    rmSync(join(path, 'ballast'));
    expect(await c.insertOne({ _id: 2 })).toMatchObject({ insertedId: 2 });
  });
});

describe('a disk that fails', () => {
  it('rejects writes as a failed stream (39) until the file could be opened anew, and allows reads', async () => {
    const { store, c } = await serve();
    await c.insertOne({ _id: 1 });
    const { disk } = store['server'].engine;
    const failing = jest.spyOn(disk['db'], 'putSync').mockImplementation(() => {
      throw Object.assign(new Error('Input/output error'), { code: 5 });
    });
    await expect(c.insertOne({ _id: 2 })).rejects.toMatchObject({
      code: 39,
      codeName: 'FileStreamFailed',
      message: expect.stringContaining('Input/output error'),
    });
    failing.mockRestore();
    await expect(c.insertOne({ _id: 2 })).rejects.toMatchObject({ code: 39 });
    expect(await c.find().toArray()).toEqual([{ _id: 1 }]);
    for (;;) {
      const written = await c.insertOne({ _id: 3 }).catch(() => undefined);
      if (written) break;
      await pause(20);
    }
    expect(await c.find().toArray()).toEqual([{ _id: 1 }, { _id: 3 }]);
  });
});
