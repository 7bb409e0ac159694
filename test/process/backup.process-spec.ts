import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Document } from 'mongodb';
import { type EmbeddedStore, startEmbeddedStore } from '@shop-platform/embedded-mongodb';
import { aSeller, requireConsistent, type Seller, startSales } from '../payments/sales.js';
import { type Comparison, comparisonPath } from '../stats/comparisons.js';
import { countedByHand, type SoldOrder } from '../stats/sold-orders.js';
import { aKey } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { runShopCommandIn } from '../support/shop-command.js';
import { SECRETS, startTestApp, type TestApp } from '../support/test-app.js';
import { testDatabaseUri } from '../support/test-database.js';

const MINUTE_MS = 60_000;
const BEGIN = Date.now() - MINUTE_MS;

/** A service with a shop. */
interface Source {
  readonly app: TestApp;
  readonly shop: Seller;
  readonly key: string;
}

let folder: string;
let store: EmbeddedStore;
let source: Source;

async function aSource(databaseUri: string): Promise<Source> {
  const app = await startTestApp({ databaseUri });
  const shop = await aSeller(app.api);
  const { key } = await aKey(app.api, shop);
  return { app, shop, key };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shop-platform-backup-'));
  store = await startEmbeddedStore({ path: join(folder, 'source', 'store') });
  source = await aSource(store.uri);
});
afterAll(async () => {
  await source.app.close();
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

const asSold = ({ _id, shopId, serverId, discount: used, ...order }: Document): SoldOrder =>
  ({
    ...order,
    shopId: String(shopId),
    serverId: String(serverId),
    discountMinor: (used as { amountMinor: number } | null)?.amountMinor ?? 0,
  }) as unknown as SoldOrder;

/** Starts a service with a restored database, and compares its statistics with the orders. */
async function requireUsable(databaseUri: string, original: Source): Promise<number> {
  const restored = await startTestApp({ databaseUri });
  const orders = await inDatabase(restored, (db) => requireConsistent(db, original.shop));
  const to = new Date(Date.now() + MINUTE_MS).toISOString();
  const query = { period: 'custom', from: new Date(BEGIN).toISOString(), to, timezone: 'UTC' };
  const read = await restored.api.get(comparisonPath(original.shop.shopId, query), { key: original.key });
  const { metrics, period } = expectSuccess<Comparison>(read, 'Statistics compared');
  const current = Object.fromEntries(Object.entries(metrics).map(([name, metric]) => [name, metric.current]));
  expect(current).toEqual(countedByHand(orders.map(asSold), period, {}));
  await restored.close();
  return orders.length;
}

/** Makes a backup while buyers order and pay, and restores it into the store of an empty directory. Returns how many orders it has. */
async function backupInAStorm(
  selling: Source,
  directory: string,
  dataDir: string,
  env?: Record<string, string>,
): Promise<number> {
  const storm = startSales(selling.app.api, selling.shop);
  await storm.untilPaid(50);
  const made = await runShopCommandIn(join(folder, 'source'), ['backup', directory], env);
  const paidMeanwhile = storm.paid.length;
  await storm.end();
  expect(storm.rejected()).toBe(0);
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^The backup is in .*dump\.\n/) });
  expect(paidMeanwhile).toBeGreaterThan(50);

  const restored = await runShopCommandIn(dataDir, ['restore', directory]);
  expect(restored).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('The encryption keys of the backup are set.'),
  });
  const progress =
    /^Checking the backup\n(.+\n)*orders: (\d+) documents\n(.+\n)*Restoring\n(.+\n)*orders: \2 documents\n/;
  expect(restored.stderr).toMatch(progress);
  expect(restored.stderr).toMatch(/^orders: creating its indexes \(\d+\)$/m);
  const target = await startEmbeddedStore({ path: join(dataDir, 'store') });
  const count = await requireUsable(target.uri, selling);
  await target.close();
  expect(count).toBeGreaterThanOrEqual(50);
  return count;
}

describe('A backup during a storm of orders and payments', () => {
  it('has one moment of the store of a directory, also when it is restored into a server', async () => {
    const [directory, dataDir] = [join(folder, 'dump'), join(folder, 'restored')];
    const count = await backupInAStorm(source, directory, dataDir);

    const databaseUri = testDatabaseUri();
    const env = { ...SECRETS, MONGODB_URI: databaseUri };
    expect(await runShopCommandIn(dataDir, ['restore', directory], env)).toMatchObject({ code: 0 });
    expect(await requireUsable(databaseUri, source)).toBe(count);
    await inDatabase({ databaseUri }, (db) => db.dropDatabase());
  });

  it('has one moment of a server', async () => {
    const databaseUri = testDatabaseUri();
    const selling = await aSource(databaseUri);
    const env = { ...SECRETS, MONGODB_URI: databaseUri };
    await backupInAStorm(selling, join(folder, 'server-dump'), join(folder, 'from-server'), env);
    await selling.app.close();
    await inDatabase({ databaseUri }, (db) => db.dropDatabase());
  });
});
