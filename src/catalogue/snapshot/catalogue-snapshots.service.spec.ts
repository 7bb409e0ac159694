import { beforeEach, describe, expect, it } from '@jest/globals';
import { TRANSACTION } from '../../../test/support/fakes.js';
import { shopWith } from '../../../test/support/shops.js';
import { soldWith } from '../../../test/support/snapshots.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { type Transaction, type Transactions } from '../../infrastructure/database/transactions.js';
import { type ShopsService } from '../../shops/shops/shops.service.js';
import { CatalogueParts } from './catalogue-parts.js';
import { CatalogueSnapshotsService } from './catalogue-snapshots.service.js';
import { type SoldProduct } from './catalogue-snapshot.js';

/** A transaction of a build that has begun: it ends when the spec lets it. */
interface Running {
  readonly end: () => void;
  readonly fail: () => void;
}

/** The revision of each shop in the database. */
let stored: Map<string, string>;
let products: SoldProduct[];
let running: Running[];
let begun: number;
let service: CatalogueSnapshotsService;

function open(catalogueCacheBytes: number): CatalogueSnapshotsService {
  const parts = new CatalogueParts();
  const none = () => Promise.resolve([]);
  parts.add({ products: () => Promise.resolve(products), categories: none });
  parts.add({
    servers: none,
    sales: none,
    tierGroups: none,
    methods: none,
    priorPrices: () => Promise.resolve(new Map()),
  });
  const shops = {
    getIn: (id: string) => Promise.resolve(shopWith({ id, catalogueRevision: stored.get(id) ?? null })),
  } as unknown as ShopsService;
  const transactions = {
    run: <Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> => {
      begun++;
      // As in a real transaction, what is read is decided at the beginning.
      const result = work(TRANSACTION);
      return new Promise((resolve, reject) => {
        running.push({
          end: () => void result.then(resolve, reject),
          fail: () => {
            reject(new AppError('service_unavailable'));
          },
        });
      });
    },
  } as Transactions;
  return new CatalogueSnapshotsService(parts, shops, transactions, { catalogueCacheBytes } as AppConfig);
}

beforeEach(() => {
  [stored, products, running, begun] = [new Map([['a', 'r1']]), [soldWith()], [], 0];
  service = open(2 ** 20);
});

const of = (id: string, catalogueRevision: string | null = 'r1') => service.of({ id, catalogueRevision });
/** Ends what runs, and what begins to run because of that. */
const endAll = async (): Promise<void> => {
  while (running.length > 0) {
    for (const { end } of running.splice(0)) end();
    await new Promise((done) => setImmediate(done));
  }
};
const kept = async (id: string, revision: string | null = 'r1'): Promise<void> => {
  const read = of(id, revision);
  await endAll();
  await read;
};

describe('a snapshot', () => {
  it('is built once for a revision, and again when the shop has another one', async () => {
    await kept('a');
    expect((await of('a')).products).toEqual(new Map([[soldWith().id, soldWith()]]));
    expect(begun).toBe(1);
    stored.set('a', 'r2');
    await kept('a', 'r2');
    expect([(await of('a', 'r2')).revision, begun]).toEqual(['r2', 2]);
  });

  it('is kept for a shop that has never sold anything', async () => {
    await kept('b', null);
    expect([(await of('b', null)).revision, begun]).toEqual([null, 1]);
  });

  it('is built once for requests that have read the same revision, and serves them with the revision that it finds', async () => {
    stored.set('a', 'r2');
    const reads = [of('a'), of('a')];
    await endAll();
    expect((await Promise.all(reads)).map(({ revision }) => revision)).toEqual(['r2', 'r2']);
    expect(begun).toBe(1);
  });

  it('does not serve a request with a build that had begun before the revision of the request', async () => {
    const old = of('a');
    stored.set('a', 'r2');
    const current = of('a', 'r2');
    await endAll();
    expect([(await old).revision, (await current).revision, begun]).toEqual(['r1', 'r2', 2]);
  });

  it('is built for at most four shops at once, and one that waits serves every revision until it begins', async () => {
    const reads = ['b', 'c', 'd', 'e'].map((id) => of(id, null));
    const waiting = [of('a'), of('a', 'r2')];
    expect(begun).toBe(4);
    stored.set('a', 'r2');
    await endAll();
    await Promise.all(reads);
    expect((await Promise.all(waiting)).map(({ revision }) => revision)).toEqual(['r2', 'r2']);
    expect(begun).toBe(5);
  });

  it('is built again after a failure, which all that wait for it get', async () => {
    const reads = [of('a'), of('a')];
    running.splice(0).forEach(({ fail }) => {
      fail();
    });
    for (const read of reads) await expect(read).rejects.toMatchObject({ code: 'service_unavailable' });
    await kept('a');
    expect(begun).toBe(2);
  });

  it('is read in a transaction of its caller without being kept', async () => {
    expect((await service.readIn('a', TRANSACTION)).revision).toBe('r1');
    expect([service.memory, begun]).toEqual([{ bytes: 0, notKept: 0 }, 0]);
  });
});

describe('the memory', () => {
  it('replaces the snapshot of a shop, and forgets the shop that was not used for the longest time', async () => {
    service = open(6_000);
    await kept('a');
    const { bytes } = service.memory;
    expect(bytes).toBeGreaterThan(500);
    expect(bytes).toBeLessThan(3_000);
    await kept('a', 'r2');
    expect(service.memory.bytes).toBe(bytes);
    for (const id of ['b', 'c', 'd']) await kept(id, null);
    expect(service.memory.bytes).toBeLessThanOrEqual(6_000);
    const before = begun;
    await of('d', null);
    expect(begun).toBe(before);
    await kept('a', 'r1');
    expect(begun).toBe(before + 1);
  });

  it('uses a snapshot that is larger than all of it, counts it, and keeps the others', async () => {
    service = open(6_000);
    await kept('b', null);
    products = [soldWith({ description: 'x'.repeat(6_000) })];
    const read = of('a');
    await endAll();
    expect((await read).products.size).toBe(1);
    expect(service.memory).toMatchObject({ notKept: 1 });
    const before = begun;
    await of('b', null);
    expect(begun).toBe(before);
  });
});

it('is not read without one of its parts', async () => {
  const parts = new CatalogueParts();
  await expect(parts.read(shopWith(), TRANSACTION)).rejects.toThrow('No module adds products');
});
