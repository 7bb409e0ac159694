import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Document } from 'mongodb';
import { type EmbeddedStore, startEmbeddedStore } from '@shop-platform/embedded-mongodb';
import { aSellingShop, payment, type SellingShop, sendCustom, sendStripe } from '../payments/senders.js';
import { type Comparison, comparisonPath } from '../stats/comparisons.js';
import { countedByHand, type SoldOrder } from '../stats/sold-orders.js';
import { aDiscount, aKey, anOrder, type TestOrder } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { leftOf, type Records, recordsOf } from '../support/records.js';
import { runShopCommandIn } from '../support/shop-command.js';
import { SECRETS, startTestApp, type TestApp } from '../support/test-app.js';
import { testDatabaseUri } from '../support/test-database.js';

const MAX_USES = 100_000;
const BUYERS = 8;
const MINUTE_MS = 60_000;
const BEGIN = Date.now() - MINUTE_MS;

/** A service with a shop. */
interface Source {
  readonly app: TestApp;
  readonly shop: SellingShop;
  readonly key: string;
  readonly discount: { readonly id: string; readonly code: string };
}

let folder: string;
let store: EmbeddedStore;
let source: Source;

async function aSource(databaseUri: string): Promise<Source> {
  const app = await startTestApp({ databaseUri });
  const shop = await aSellingShop(app.api);
  const { key } = await aKey(app.api, shop);
  return { app, shop, key, discount: await aDiscount(app.api, shop, { maxUses: MAX_USES }) };
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

async function pay({ app, shop }: Source, order: TestOrder, number: number): Promise<void> {
  if (number % 2 === 0) {
    expectSuccess(await sendCustom(app.api, shop.custom, payment(order, { occurredAt: new Date().toISOString() })));
    return;
  }
  const { id, total } = order;
  const session = { id: `cs_${id}`, payment_status: 'paid', currency: 'eur', amount_total: Math.round(total * 100) };
  const references = { payment_intent: `pi_${id}`, client_reference_id: id };
  expectSuccess(await sendStripe(app.api, shop.stripe, 'checkout.session.completed', { ...session, ...references }));
}

/** Buyers who order and pay, one order after the other, until the storm ends. */
function startStorm(selling: Source): {
  readonly ended: Promise<unknown>;
  readonly paid: () => number;
  readonly end: () => Promise<void>;
} {
  const { app, shop, discount } = selling;
  let [isOver, placed, paid] = [false, 0, 0];
  const buy = async (buyer: number): Promise<void> => {
    while (!isOver) {
      const number = placed++;
      const code = number % 3 === 0 ? { discountCode: discount.code } : {};
      const order = await anOrder(app.api, shop.shopId, { ...shop.orderRequest, nickname: `Buyer_${buyer}`, ...code });
      if (number % 4 === 3) continue;
      await pay(selling, order, number);
      paid++;
    }
  };
  const buyers = Promise.all(Array.from({ length: BUYERS }, (_, buyer) => buy(buyer)));
  return {
    ended: buyers,
    paid: () => paid,
    end: async () => {
      isOver = true;
      await buyers;
    },
  };
}

const documentsOf = ({ db }: Records, collection: string): Promise<Document[]> =>
  db.collection(collection).find().toArray();

/** Checks everything that a sale changes in one transaction. Returns the orders. */
async function requireConsistent(records: Records, { discount }: Source): Promise<Document[]> {
  const [orders, events] = [await documentsOf(records, 'orders'), await documentsOf(records, 'payment_events')];
  const [deliveries, uses] = [await documentsOf(records, 'deliveries'), await documentsOf(records, 'redemptions')];
  const ledger = await documentsOf(records, 'stats_ledger');
  const withCode = orders.filter(({ discount: used }) => used !== null);
  const paid = orders.filter(({ paymentStatus }) => paymentStatus === 'paid');
  const idsOf = (documents: readonly Document[], field = 'orderId'): string[] =>
    [...new Set(documents.map((document) => String(document[field])))].sort();
  const processed = events.filter(({ state }) => state === 'processed');
  expect({ events: idsOf(processed), deliveries: idsOf(deliveries), ledger: idsOf(ledger) }).toEqual({
    events: idsOf(paid, '_id'),
    deliveries: idsOf(paid, '_id'),
    ledger: idsOf(orders, '_id'),
  });
  expect(idsOf(uses)).toEqual(idsOf(withCode, '_id'));
  const redeemed = uses.filter(({ state }) => state === 'redeemed');
  expect(idsOf(redeemed)).toEqual(
    idsOf(
      paid.filter(({ discount: used }) => used !== null),
      '_id',
    ),
  );
  expect(await leftOf(records.db, discount.id)).toBe(MAX_USES - withCode.length);
  return orders;
}

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
  const records = await recordsOf(restored);
  const orders = await requireConsistent(records, original);
  const to = new Date(Date.now() + MINUTE_MS).toISOString();
  const query = { period: 'custom', from: new Date(BEGIN).toISOString(), to, timezone: 'UTC' };
  const read = await restored.api.get(comparisonPath(original.shop.shopId, query), { key: original.key });
  const { metrics, period } = expectSuccess<Comparison>(read, 'Statistics compared');
  const current = Object.fromEntries(Object.entries(metrics).map(([name, metric]) => [name, metric.current]));
  expect(current).toEqual(countedByHand(orders.map(asSold), period, {}));
  await records.close();
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
  const storm = startStorm(selling);
  await Promise.race([storm.ended, eventually(() => Promise.resolve(storm.paid() >= 50))]);
  const made = await runShopCommandIn(join(folder, 'source'), ['backup', directory], env);
  const paidMeanwhile = storm.paid();
  await storm.end();
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^The backup is in .*dump\.\n/) });
  expect(paidMeanwhile).toBeGreaterThan(50);

  const restored = await runShopCommandIn(dataDir, ['restore', directory]);
  expect(restored).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('ENCRYPTION_KEY is the key of the backup.'),
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

async function dropDatabase(databaseUri: string): Promise<void> {
  const records = await recordsOf({ databaseUri });
  await records.db.dropDatabase();
  await records.close();
}

describe('A backup during a storm of orders and payments', () => {
  it('has one moment of the store of a directory, also when it is restored into a server', async () => {
    const [directory, dataDir] = [join(folder, 'dump'), join(folder, 'restored')];
    const count = await backupInAStorm(source, directory, dataDir);

    const databaseUri = testDatabaseUri();
    const env = { ...SECRETS, MONGODB_URI: databaseUri };
    expect(await runShopCommandIn(dataDir, ['restore', directory], env)).toMatchObject({ code: 0 });
    expect(await requireUsable(databaseUri, source)).toBe(count);
    await dropDatabase(databaseUri);
  });

  it('has one moment of a server', async () => {
    const databaseUri = testDatabaseUri();
    const selling = await aSource(databaseUri);
    const env = { ...SECRETS, MONGODB_URI: databaseUri };
    await backupInAStorm(selling, join(folder, 'server-dump'), join(folder, 'from-server'), env);
    await selling.app.close();
    await dropDatabase(databaseUri);
  });
});
