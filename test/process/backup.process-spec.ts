import { appendFile, cp, mkdir, mkdtemp, readdir, rename, rm, truncate } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serialize } from 'bson';
import { type Document } from 'mongodb';
import { type EmbeddedStore, startEmbeddedStore } from '@shop-platform/embedded-mongodb';
import { databaseGate } from '../payments/database-gate.js';
import { aSellingShop, payment, type SellingShop, sendCustom, sendStripe } from '../payments/senders.js';
import { type Comparison, comparisonPath } from '../stats/comparisons.js';
import { countedByHand, type SoldOrder } from '../stats/sold-orders.js';
import { aDiscount, aKey, anOrder, type TestOrder } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { leftOf, type Records, recordsOf } from '../support/records.js';
import { type CommandResult, runShopCommand, startShopCommand } from '../support/shop-command.js';
import { SECRETS, startTestApp, type TestApp } from '../support/test-app.js';
import { testDatabaseUri } from '../support/test-database.js';

const MAX_USES = 100_000;
const BUYERS = 8;
const MINUTE_MS = 60_000;
const BEGIN = Date.now() - MINUTE_MS;

let folder: string;
let store: EmbeddedStore;
let app: TestApp;
let shop: SellingShop;
let key: string;
let discount: { readonly id: string; readonly code: string };
const dump = (): string => join(folder, 'dump');

/** Runs a command with the embedded store in a folder, or with a database. */
async function run(
  args: readonly string[],
  dataDir: string,
  env: Record<string, string> = SECRETS,
): Promise<CommandResult> {
  await mkdir(dataDir, { recursive: true });
  return runShopCommand(args, { NODE_ENV: 'test', DATA_DIR: dataDir, ...env });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shop-platform-backup-'));
  store = await startEmbeddedStore({ path: join(folder, 'source', 'store') });
  app = await startTestApp({ databaseUri: store.uri });
  shop = await aSellingShop(app.api);
  ({ key } = await aKey(app.api, shop));
  discount = await aDiscount(app.api, shop, { maxUses: MAX_USES });
});
afterAll(async () => {
  await app.close();
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

async function pay(order: TestOrder, number: number): Promise<void> {
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
function startStorm(): {
  readonly ended: Promise<unknown>;
  readonly paid: () => number;
  readonly end: () => Promise<void>;
} {
  let [isOver, placed, paid] = [false, 0, 0];
  const buy = async (buyer: number): Promise<void> => {
    while (!isOver) {
      const number = placed++;
      const code = number % 3 === 0 ? { discountCode: discount.code } : {};
      const order = await anOrder(app.api, shop.shopId, { ...shop.orderRequest, nickname: `Buyer_${buyer}`, ...code });
      if (number % 4 === 3) continue;
      await pay(order, number);
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
async function requireConsistent(records: Records): Promise<Document[]> {
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
async function requireUsable(databaseUri: string): Promise<number> {
  const restored = await startTestApp({ databaseUri });
  const records = await recordsOf(restored);
  const orders = await requireConsistent(records);
  const to = new Date(Date.now() + MINUTE_MS).toISOString();
  const query = { period: 'custom', from: new Date(BEGIN).toISOString(), to, timezone: 'UTC' };
  const read = await restored.api.get(comparisonPath(shop.shopId, query), { key });
  const { metrics, period } = expectSuccess<Comparison>(read, 'Statistics compared');
  const current = Object.fromEntries(Object.entries(metrics).map(([name, metric]) => [name, metric.current]));
  expect(current).toEqual(countedByHand(orders.map(asSold), period, {}));
  await records.close();
  await restored.close();
  return orders.length;
}

describe('A backup during a storm of orders and payments', () => {
  it('has one moment of the database, also when it is restored into the store of an empty directory and into a server', async () => {
    const storm = startStorm();
    await Promise.race([storm.ended, eventually(() => Promise.resolve(storm.paid() >= 50))]);
    const made = await run(['backup', dump()], join(folder, 'source'));
    const paidMeanwhile = storm.paid();
    await storm.end();
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^The backup is in .*dump\.\n/) });

    const dataDir = join(folder, 'restored');
    expect(await run(['restore', dump()], dataDir)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('ENCRYPTION_KEY is the key of the backup.'),
    });
    const restored = await startEmbeddedStore({ path: join(dataDir, 'store') });
    const count = await requireUsable(restored.uri);
    await restored.close();
    expect(count).toBeGreaterThanOrEqual(50);
    expect(paidMeanwhile).toBeGreaterThan(50);

    const databaseUri = testDatabaseUri();
    expect(await run(['restore', dump()], dataDir, { ...SECRETS, MONGODB_URI: databaseUri })).toMatchObject({
      code: 0,
    });
    expect(await requireUsable(databaseUri)).toBe(count);
    const records = await recordsOf({ databaseUri });
    await records.db.dropDatabase();
    await records.close();
  });
});

describe('A backup that cannot be made or restored', () => {
  const lineOf = ({ stderr }: CommandResult): string | undefined => stderr.trimEnd().split('\n').at(-1);

  it('is not written over a directory that exists', async () => {
    const again = await run(['backup', dump()], join(folder, 'source'));
    expect([again.code, lineOf(again)]).toEqual([1, `${dump()} exists already: choose a new name.`]);
    const empty = await run(['backup', join(folder, 'none')], join(folder, 'empty'));
    expect([empty.code, lineOf(empty)]).toEqual([
      1,
      'The database is empty: check MONGODB_URI and DATA_DIR of this environment.',
    ]);
    expect((await readdir(folder)).filter((name) => name.startsWith('none'))).toEqual([]);
  });

  it('fails when it takes longer than a transaction may last: it says what to do, and leaves nothing', async () => {
    const gate = await databaseGate(store.uri);
    const slow = join(folder, 'slow');
    await mkdir(slow);
    const env = { NODE_ENV: 'test', DATA_DIR: slow, MONGODB_URI: gate.uri, ...SECRETS };
    const command = startShopCommand(['backup', join(slow, 'dump')], env);
    const lines: string[] = [];
    command.stderr?.on('data', (chunk: Buffer) => {
      // It has read the first collection. Each of the others takes four seconds, and there are more than 15.
      gate.delay(2_000);
      lines.push(...chunk.toString().trimEnd().split('\n'));
    });
    const [code] = (await once(command, 'close')) as [number];
    await gate.close();
    expect([code, lines.at(-1)]).toEqual([
      1,
      'The backup took longer than a transaction of the database may last (a minute), and was deleted: with MongoDB use mongodump --oplog, with the embedded store stop the service and copy DATA_DIR. docs/handbook/backup-and-restore.md has the commands.',
    ]);
    expect(await readdir(slow)).toEqual([]);
  });

  it('is not restored into a database that has something', async () => {
    const result = await run(['restore', dump()], join(folder, 'restored'));
    expect([result.code, lineOf(result)]).toEqual([
      1,
      expect.stringMatching(
        /^The database is not empty \(\d+ collections\): use another DATA_DIR, or another database/,
      ),
    ]);
  });

  it('is not restored by an older version than the one that made it', async () => {
    const newer = join(folder, 'newer');
    await cp(dump(), newer, { recursive: true });
    // As mongodump makes it.
    await rm(join(newer, 'backup.json'));
    const record = { _id: 9000, name: 'without-the-old-fields', phase: 'contract', appliedAt: new Date() };
    await appendFile(join(newer, 'test', 'migrations.bson'), serialize(record));
    const result = await run(['restore', newer], join(folder, 'target'));
    expect([result.code, lineOf(result)]).toEqual([
      1,
      'A newer version made the backup (migration 9000, without-the-old-fields): restore it with that version.',
    ]);
  });

  it('is not restored when a part of it is missing', async () => {
    const target = join(folder, 'target');
    await rename(dump(), `${dump()}.part`);
    const missing = await run(['restore', dump()], target);
    expect([missing.code, lineOf(missing)]).toEqual([
      1,
      expect.stringMatching(/it is not complete, only .*dump\.part is there/),
    ]);
    await rename(`${dump()}.part`, dump());
    await truncate(join(dump(), 'test', 'orders.bson'), 1000);
    const truncated = await run(['restore', dump()], target);
    expect([truncated.code, lineOf(truncated)]).toEqual([1, expect.stringMatching(/orders\.bson is incomplete/)]);
  });
});
