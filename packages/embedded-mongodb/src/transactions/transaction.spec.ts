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

  it('is one commit of the data file, with the result of the session in it', async () => {
    expect(await commitsOf((transaction) => transaction.put(key, value))).toBe(1);
    expect([also, disk.get(key)]).toEqual([1, value]);
  });

  it('does not write to the data file after a transaction that has only read', async () => {
    expect(await commitsOf((transaction) => transaction.get(key))).toBe(0);
    expect(also).toBe(0);
  });
});
