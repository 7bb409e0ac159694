import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { Engine } from '../engine.js';
import { StoreServer } from '../server.js';
import { after, entriesOf, formatKey, recordsOf } from './keys.js';

let path: string;
const cli = join(import.meta.dirname, '../../dist/cli.js');

/** The output of `npm run store -- --check`, and its exit code. */
async function check(): Promise<{ stdout: string; code: number | null }> {
  const child = spawn(process.execPath, [cli, '--check', path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [stdout] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { stdout, code: child.exitCode };
}

/** Changes the data file as the store never does. */
async function change(work: (engine: Engine, collection: number, index: number) => void): Promise<void> {
  const engine = await Engine.open(path);
  const collection = engine.catalogue.get('shop.c');
  await engine.disk.write(() => work(engine, collection?.id ?? 0, collection?.indexes[1]?.id ?? 0));
  await engine.close();
}

beforeEach(async () => {
  path = mkdtempSync(join(tmpdir(), 'store-'));
  const store = await StoreServer.start({ path, port: 0 });
  const client = new MongoClient(store.uri);
  const c = client.db('shop').collection<{ _id: number; tags: string[] }>('c');
  await c.createIndexes([{ key: { tags: 1 } }]);
  await c.insertMany(Array.from({ length: 1500 }, (_, _id) => ({ _id, tags: ['a', `b${_id % 7}`] })));
  await client.close();
  await store.close();
});
afterEach(() => rmSync(path, { recursive: true }));

describe('the check of a data directory', () => {
  it('finds no problem in a file that the store has written', async () => {
    expect(await check()).toEqual({ stdout: 'No problems found.\n', code: 0 });
  });

  it('names each document without an entry, and an index with too few of them', async () => {
    await change(({ disk }, _, index) => {
      const [entry] = disk.range(entriesOf(index), after(entriesOf(index)), false, 1);
      if (entry) disk.remove(entry.key);
    });
    expect(await check()).toEqual({
      stdout: 'shop.c tags_1: no entry for record 1\nshop.c tags_1: 2999 entries instead of 3000\n',
      code: 1,
    });
  });

  it('names an index that has entries without a document', async () => {
    await change(({ disk }, collection) => {
      const [record] = disk.range(recordsOf(collection), after(recordsOf(collection)), false, 1);
      if (record) disk.remove(record.key);
    });
    expect(await check()).toEqual({
      stdout: 'shop.c _id_: 1500 entries instead of 1499\nshop.c tags_1: 3000 entries instead of 2998\n',
      code: 1,
    });
  });

  it('names a document that cannot be read', async () => {
    await change(({ disk }, collection) => {
      const [record] = disk.range(recordsOf(collection), after(recordsOf(collection)), false, 1);
      if (record) disk.put(record.key, Buffer.from([5, 0, 0, 0, 9]));
    });
    expect((await check()).stdout).toMatch(/^shop\.c: record 1 cannot be read: .+\n/);
  });
});

describe('the version of a data file', () => {
  it.each([0, 2])('rejects a data file of format %i', async (version) => {
    await change(({ disk }) => disk.put(formatKey, Buffer.from([0, 0, 0, version])));
    await expect(Engine.open(path)).rejects.toThrow(
      `The data file has format ${version}, and this version of the store reads format 1.`,
    );
  });

  it('adds the format to a data file that has none', async () => {
    await change(({ disk }) => disk.remove(formatKey));
    const engine = await Engine.open(path);
    expect(engine.disk.get(formatKey)).toEqual(Buffer.from([0, 0, 0, 1]));
    await engine.close();
  });

  it.each([
    ['the format of LMDB', 28],
    ['the flags of its first page', 18],
  ])('rejects a data file whose first page has other bytes for %s', async (_, position) => {
    const file = join(path, 'data.mdb');
    const bytes = readFileSync(file);
    bytes[position] = 1;
    writeFileSync(file, bytes);
    await expect(Engine.open(path)).rejects.toThrow('is not a data file of this store');
  });
});
