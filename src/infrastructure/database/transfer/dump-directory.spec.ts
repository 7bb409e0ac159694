import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { serialize } from 'bson';
import { type CollectionInfo } from './collections.js';
import { checkDump, type Dump, readDump, writeDump } from './dump-directory.js';

const ORDERS: CollectionInfo = {
  name: 'orders',
  options: {},
  indexes: [
    { key: { _id: 1 }, name: '_id_' },
    { key: { shopId: 1, _id: -1 }, name: 'shopId_1__id_-1' },
    { key: { expiresAt: 1 }, name: 'expiresAt_1', expireAfterSeconds: 0 },
  ],
};
const DOCUMENTS = [1, 2, 3].map((_id) => Buffer.from(serialize({ _id })));

let folder: string;
let dump: string;

// eslint-disable-next-line @typescript-eslint/require-await -- the documents of a database come later
async function* someDocuments(): AsyncGenerator<readonly Buffer[]> {
  yield DOCUMENTS.slice(0, 2);
  yield DOCUMENTS.slice(2);
}

const write = (directory: string): Promise<void> =>
  writeDump(directory, 'shop', async (writeCollection) => ({
    createdAt: '2026-11-26T12:00:00.000Z',
    collections: { orders: await writeCollection(ORDERS, someDocuments()) },
  }));

async function readAndCheck(directory = dump): Promise<Dump> {
  const read = await readDump(directory);
  await checkDump(read, () => undefined);
  return read;
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shop-platform-dump-'));
  dump = join(folder, 'dump');
  await write(dump);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('A directory that was written', () => {
  it('has the files of mongodump, with their documents and indexes', async () => {
    expect((await readdir(join(dump, 'shop'))).sort()).toEqual(['orders.bson', 'orders.metadata.json']);
    expect(await readFile(join(dump, 'shop', 'orders.bson'))).toEqual(Buffer.concat(DOCUMENTS));
    const metadata = JSON.parse(await readFile(join(dump, 'shop', 'orders.metadata.json'), 'utf8')) as CollectionInfo;
    expect(metadata.indexes[1]).toEqual({
      key: { shopId: { $numberInt: '1' }, _id: { $numberInt: '-1' } },
      name: 'shopId_1__id_-1',
    });
  });

  it('is read with the same collections', async () => {
    expect(await readAndCheck()).toEqual({
      collections: [{ ...ORDERS, file: join(dump, 'shop', 'orders.bson') }],
      manifest: {
        createdAt: '2026-11-26T12:00:00.000Z',
        collections: { orders: { documents: 3, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
      },
    });
  });

  it('is not written again', async () => {
    await expect(write(dump)).rejects.toThrow(`${dump} exists already: choose a new name.`);
  });

  it('has no name when it could not be written to the end', async () => {
    const failed = writeDump(join(folder, 'failed'), 'shop', () => Promise.reject(new Error('the disk is full')));
    await expect(failed).rejects.toThrow('the disk is full');
    expect(await readdir(folder)).toEqual(['dump']);
  });

  it('is not written while another backup may be writing it', async () => {
    await mkdir(`${dump}-2.part`);
    await expect(write(`${dump}-2`)).rejects.toThrow(`${dump}-2.part exists already: another backup is writing it`);
    expect((await readdir(folder)).sort()).toEqual(['dump', 'dump-2.part']);
  });
});

describe('A directory that cannot be restored', () => {
  it('does not exist, or has only the name of one that is not complete', async () => {
    await expect(readDump(`${dump}-2`)).rejects.toThrow(`${dump}-2 cannot be restored: there is no such directory.`);
    await rename(dump, `${dump}.part`);
    await expect(readDump(dump)).rejects.toThrow(`it is not complete, only ${dump}.part is there`);
    await expect(readDump(`${dump}.part`)).rejects.toThrow(`${dump}.part is not complete`);
  });

  it('has fewer documents than it had, also when the last one is whole', async () => {
    await writeFile(join(dump, 'shop', 'orders.bson'), Buffer.concat(DOCUMENTS.slice(0, 2)));
    await expect(readAndCheck()).rejects.toThrow('orders has not the documents that it had');
  });

  it('has another document than it had', async () => {
    const other = [...DOCUMENTS.slice(0, 2), Buffer.from(serialize({ _id: 4 }))];
    await writeFile(join(dump, 'shop', 'orders.bson'), Buffer.concat(other));
    await expect(readAndCheck()).rejects.toThrow('orders has not the documents that it had');
  });

  it('lacks a file', async () => {
    await rm(join(dump, 'shop', 'orders.metadata.json'));
    await expect(readDump(dump)).rejects.toThrow('orders.metadata.json is missing: the backup is not complete.');
    await rm(join(dump, 'shop', 'orders.bson'));
    await expect(readAndCheck()).rejects.toThrow('orders is missing');
    await rm(join(dump, 'shop'), { recursive: true });
    await expect(readDump(dump)).rejects.toThrow('has no folder with the files of a database');
  });

  it.each([
    ['backup.json', 'backup.json is damaged'],
    ['shop/orders.metadata.json', 'orders.metadata.json is damaged'],
  ])('has a damaged %s', async (name, message) => {
    await writeFile(join(dump, name), '{"half":');
    await expect(readDump(dump)).rejects.toThrow(message);
  });
});

describe('A directory of mongodump', () => {
  beforeEach(() => rm(join(dump, 'backup.json')));

  it('is read beside the databases of the server', async () => {
    await mkdir(join(dump, 'admin'));
    await writeFile(join(dump, 'prelude.json'), '{"ServerVersion":"8.0.0"}');
    expect(await readAndCheck()).toMatchObject({ collections: [ORDERS], manifest: null });
  });

  it.each([
    ['with two databases', 'other/users.bson', 'has several databases (other, shop)'],
    ['that is compressed', 'shop/users.bson.gz', 'is compressed: decompress its files first (gunzip -r).'],
    ['with an oplog', 'oplog.bson', 'was made with --oplog: restore it with mongorestore --oplogReplay.'],
  ])('%s is refused with what to do', async (_kind, name, message) => {
    await mkdir(join(dump, 'other'), { recursive: true });
    if (!name.startsWith('other')) await rm(join(dump, 'other'), { recursive: true });
    await writeFile(join(dump, name), '');
    await expect(readDump(dump)).rejects.toThrow(message);
  });
});
