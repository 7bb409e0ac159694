import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Catalogue } from '../storage/catalogue.js';
import { Disk } from '../storage/disk.js';
import { Transaction } from './transaction.js';

const [key, value] = [Buffer.from('key'), Buffer.from('value')];
let path: string;
let disk: Disk;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'store-'));
  disk = new Disk(path);
});
afterEach(async () => {
  await disk.close();
  rmSync(path, { recursive: true, force: true });
});

it('neither reads nor locks in a transaction that has ended (251)', () => {
  const holders = new Map();
  const transaction = new Transaction(disk, new Catalogue(disk), holders);
  transaction.claim([key]);
  transaction.put(key, value);
  transaction.release();
  expect(() => transaction.claim([key])).toThrow(expect.objectContaining({ code: 251 }));
  expect(() => transaction.get(key)).toThrow(expect.objectContaining({ code: 251 }));
  expect(() => transaction.range(key, value, false, 1)).toThrow(expect.objectContaining({ code: 251 }));
  expect(holders.size).toBe(0);
});

describe('the commit of a transaction', () => {
  let also: number;

  /** Commits a transaction after `work`. Returns how many commits of the data file that took. */
  async function commitsOf(work: (transaction: Transaction) => void): Promise<number> {
    also = 0;
    const transaction = new Transaction(disk, new Catalogue(disk), new Map());
    const before = disk.version;
    work(transaction);
    await transaction.commit(() => also++);
    await transaction.ended;
    return disk.version - before;
  }

  it('commits a transaction as one commit of the data file, with the result of the session in it', async () => {
    expect(await commitsOf((transaction) => transaction.put(key, value))).toBe(1);
    expect([also, disk.get(key)]).toEqual([1, value]);
  });

  it('writes nothing to the data file after a transaction that has only read', async () => {
    expect(await commitsOf((transaction) => transaction.get(key))).toBe(0);
    expect(also).toBe(0);
  });

  it('stores a collection that the transaction has created, which is not visible before', async () => {
    const catalogue = new Catalogue(disk);
    const transaction = new Transaction(disk, catalogue, new Map());
    const made = catalogue.make('shop.made');
    transaction.create(made);
    expect([transaction.collection('shop.made'), catalogue.get('shop.made')]).toEqual([made, undefined]);
    await transaction.commit(() => undefined);
    expect(catalogue.get('shop.made')).toBe(made);
    expect(new Catalogue(disk).get('shop.made')).toMatchObject({ id: made.id, uuid: made.uuid });
  });
});
