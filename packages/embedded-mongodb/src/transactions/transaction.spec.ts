import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Catalogue, type Collection } from '../storage/catalogue.js';
import { Disk } from '../storage/disk.js';
import { type Holders } from './live.js';
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

/** Makes changes of the data file in one commit: each key gets the value, or is removed. */
const store = (changes: readonly (readonly [key: string, value: string | undefined])[]): Promise<void> =>
  disk.write(() => {
    for (const [name, text] of changes) {
      if (text === undefined) disk.remove(Buffer.from(name));
      else disk.put(Buffer.from(name), Buffer.from(text));
    }
  });

describe('what a transaction reads', () => {
  const keys = [...'abcdefgh'];
  const name = fc.constantFrom(...keys);
  const change = fc.tuple(name, fc.option(fc.constantFrom('1', '2'), { nil: undefined }));
  const changes = fc.array(change, { maxLength: 8 });

  it('is what a sorted list has after the same writes, between any two keys, in both directions, up to any limit', async () => {
    const ends = fc.constantFrom(...keys, 'i');
    const read = fc.record({ from: ends, to: ends, reverse: fc.boolean(), limit: fc.nat(9) });
    const given = fc.record({
      stored: changes,
      own: changes,
      others: changes,
      reads: fc.array(read, { minLength: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(given, async ({ stored, own, others, reads }) => {
        await store([...keys.map((one) => [one, undefined] as const), ...stored]);
        const transaction = new Transaction(disk, new Catalogue(disk), new Map());
        await store(others); // which the snapshot does not have
        const expected = new Map(stored);
        for (const [changed, text] of own) {
          expected.set(changed, text);
          if (text === undefined) transaction.remove(Buffer.from(changed));
          else transaction.put(Buffer.from(changed), Buffer.from(text));
          // A read between two writes makes a list that the next write changes.
          expect(transaction.get(Buffer.from(changed))?.toString()).toBe(text);
          transaction.range(Buffer.from('a'), Buffer.from('i'), false, 9);
        }
        for (const { from, to, reverse, limit } of reads) {
          const found = transaction.range(Buffer.from(from), Buffer.from(to), reverse, limit);
          const all = keys.filter((one) => one >= from && one < to && expected.get(one) !== undefined);
          expect(found.map((entry) => [String(entry.key), String(entry.value)])).toEqual(
            (reverse ? all.reverse() : all).slice(0, limit).map((one) => [one, expected.get(one)]),
          );
        }
        for (const one of keys) expect(transaction.get(Buffer.from(one))?.toString()).toBe(expected.get(one));
        transaction.release();
      }),
      { numRuns: 30 },
    );
  });

  it('has the version of its beginning, and a revision that only its own writes change', async () => {
    const transaction = new Transaction(disk, new Catalogue(disk), new Map());
    const { version, revision } = transaction;
    await store([['a', '1']]);
    expect([transaction.version, transaction.revision, transaction.has()]).toEqual([version, revision, true]);
    transaction.put(key, value);
    transaction.put(key, value);
    transaction.remove(key);
    expect(transaction.version).toBe(version);
    expect(transaction.revision).toBe(revision + 3);
    transaction.release();
  });
});

describe('the locks of a transaction', () => {
  let holders: Holders;
  const begin = (): Transaction => new Transaction(disk, new Catalogue(disk), holders);
  const conflict = expect.objectContaining({ code: 112 });

  beforeEach(() => {
    holders = new Map();
  });

  it('are kept until its end, and are no obstacle for itself', async () => {
    const [first, second] = [begin(), begin()];
    first.claim([key, value]);
    first.claim([key]);
    expect([...holders.values()]).toEqual([first, first]);
    expect(() => second.claim([key])).toThrow(conflict);
    first.release();
    await first.ended;
    second.claim([key]);
    expect([...holders.values()]).toEqual([second]);
    second.release();
    expect(holders.size).toBe(0);
  });

  it.each<[title: string, before: string | undefined, after: string | undefined, conflicts: boolean]>([
    ['changed', '1', '2', true],
    ['removed', '1', undefined, true],
    ['created', undefined, '1', true],
    ['written with the same value', '1', '1', false],
    ['not touched', undefined, undefined, false],
  ])('are a conflict (112) only where another commit has changed the key since its beginning: %s', async (...row) => {
    const [, before, afterwards, conflicts] = row;
    await store([['key', before]]);
    const transaction = begin();
    await store([
      ['key', afterwards],
      ['other', '1'],
    ]);
    const claim = (): void => transaction.claim([key]);
    if (conflicts) expect(claim).toThrow(conflict);
    else expect(claim).not.toThrow();
    transaction.release();
  });

  it('end with the commit, also when it fails', async () => {
    const transaction = begin();
    transaction.claim([key]);
    transaction.put(key, value);
    const failure = new Error('the session cannot be stored');
    await expect(
      transaction.commit(() => {
        throw failure;
      }),
    ).rejects.toBe(failure);
    await transaction.ended;
    expect(holders.size).toBe(0);
    expect(() => transaction.get(key)).toThrow(expect.objectContaining({ code: 251 }));
  });
});

describe('the collections of a transaction', () => {
  it('are those of the catalogue and its own, of which it locks the names', () => {
    const [catalogue, holders]: [Catalogue, Holders] = [new Catalogue(disk), new Map()];
    const [first, second] = [new Transaction(disk, catalogue, holders), new Transaction(disk, catalogue, holders)];
    const [known, made] = [catalogue.make('shop.known'), catalogue.make('shop.made')];
    catalogue.adopt(known);
    first.create(made);
    expect([first.collection('shop.known'), first.collection('shop.made')]).toEqual([known, made]);
    expect(second.collection('shop.made')).toBeUndefined();
    expect([first.hasCreated('shop.made'), first.hasCreated('shop.known')]).toEqual([true, false]);
    expect(() => second.create(catalogue.make('shop.made'))).toThrow(expect.objectContaining({ code: 112 }));
    expect(() => first.check(made)).not.toThrow();
    expect(() => first.check(catalogue.make('shop.known'))).toThrow(expect.objectContaining({ code: 175 }));
    expect(() => second.check(made)).toThrow(expect.objectContaining({ code: 175 }));
    for (const transaction of [first, second]) transaction.release();
  });
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

  it('removes from the data file what the transaction has removed', async () => {
    await store([['key', '1']]);
    expect(await commitsOf((transaction) => transaction.remove(key))).toBe(1);
    expect(disk.get(key)).toBeUndefined();
  });

  it('stores the new description of a collection, unless the collection was dropped meanwhile', async () => {
    const catalogue = new Catalogue(disk);
    const [kept, dropped] = [catalogue.make('shop.kept'), catalogue.make('shop.dropped')];
    for (const collection of [kept, dropped]) catalogue.adopt(collection);
    const transaction = new Transaction(disk, catalogue, new Map());
    for (const collection of [kept, dropped]) transaction.describe(collection);
    await disk.write(() => catalogue.drop(disk, dropped));
    await transaction.commit(() => undefined);
    expect(new Catalogue(disk).list().map(({ namespace }) => namespace)).toEqual(['shop.kept']);
  });

  it.each<[what: string, change: (transaction: Transaction, made: Collection) => void]>([
    ['described', (transaction, made) => transaction.describe(made)],
    ['created', (transaction, made) => transaction.create(made)],
  ])('stores as many values as collections that the transaction has %s', async (_what, change) => {
    const catalogue = new Catalogue(disk);
    const made = catalogue.make('shop.made');
    expect(
      await commitsOf((transaction) => {
        transaction.put(key, value);
        change(transaction, made);
      }),
    ).toBe(1);
    expect(disk.get(key)).toEqual(value);
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
