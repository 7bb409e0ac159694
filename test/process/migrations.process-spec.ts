import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startEmbeddedStore } from '@shop-platform/embedded-mongodb';
import { type Db, type Document, MongoClient, ObjectId } from 'mongodb';
import { aProduct, aServer, aShop } from '../support/actors.js';
import { Client } from '../support/client.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { ServiceProcess } from '../support/service-process.js';
import { type CommandResult, runShopCommand, startShopCommand } from '../support/shop-command.js';
import { testDatabaseUri } from '../support/test-database.js';

/** More than the two batches in which the migration changes them. */
const MANY = 1_200;
const PENDING =
  'The database is that of an older version (pending migrations: 1, server-seen-at; 2, first-prices; 3, buyer-profiles; 4, entitlement-changed-at; 5, sold-items; 6, paid-entitlements; 7, delivery-times): run `npm run shop';
const SEEN_AT = new Date('2026-11-20T12:00:00.000Z');
const OLD_SHOP = new ObjectId();
/** What a player has from an order that is gone. */
const OWNED = { orderId: new ObjectId(), position: 0, nickname: 'Steve_42' };
const OLD_INDEX = { key: { announced: 1, 'heartbeat.at': 1 }, name: 'announced_1_heartbeat.at_1' };

/** A game server as the version before `seenAt` stored it. */
const oldServer = (at: number): Document => ({
  ...{ _id: new ObjectId(), shopId: new ObjectId(), name: `Server ${at}`, game: 'minecraft-java', address: null },
  ...{ isHidden: false, archivedAt: null, createdAt: SEEN_AT, createdBy: 'user:1' },
  heartbeat: at % 2 === 0 ? null : { at: SEEN_AT, onlinePlayers: 3, maxPlayers: 20, version: null, latencyMs: null },
});
/** A product as the version before stored it, with a price that is its number. */
const oldProduct = (at: number): Document => ({
  ...{ _id: new ObjectId(), shopId: new ObjectId(), priceMinor: at, compareAtPriceMinor: null, categoryId: null },
  archivedAt: at % 3 === 0 ? SEEN_AT : null,
});
/** An order, and its entry of the ledger as the version before `nicknameKey` stored it; every tenth entry has no order. */
const oldSales = Array.from({ length: MANY }, (_, at) => {
  const order = { _id: new ObjectId(), shopId: new ObjectId(), number: at, nicknameKey: `player ${at}` };
  const entry = { shopId: order.shopId, orderId: order._id, buyerKey: 'steve@example.com', events: [], pending: false };
  return { order, entry, isOrphan: at % 10 === 0 };
});
/** Orders as 2.0.0 stored them, of one shop: the price of each item is its number, and a code takes 3 off the whole order. */
const oldOrders = Array.from({ length: MANY }, (_, at) => {
  const item = { name: 'VIP', quantity: 1, commandListId: new ObjectId(), requiresOnline: false, takesStock: false };
  const items = [at + 1, 2 * (at + 1)].map((priceMinor, position) => ({
    ...{ ...item, productId: new ObjectId(), unitPriceMinor: priceMinor, totalMinor: priceMinor },
    durationDays: position === 0 ? null : 30,
  }));
  return { _id: new ObjectId(), shopId: OLD_SHOP, items, discount: { code: 'SPRING', amountMinor: 3 } };
});
const newField = (at: number): Date | null => (at % 2 === 0 ? null : SEEN_AT);

/** The order with what its items cost and give. The code takes 1 off the first item, and 2 off the one that costs twice as much. */
const completed = ({ items }: (typeof oldOrders)[number]): Document => ({
  origin: 'checkout',
  items: items.map((item, position) => ({
    ...{ ...item, listMinor: item.unitPriceMinor, saleId: null, saleMinor: 0 },
    ...{ discountMinor: position + 1, netMinor: item.totalMinor - position - 1 },
    ...{ repeat: position === 0 ? 'parallel' : 'extend', countsAs: item.productId, ownedEverywhere: false },
  })),
});

async function indexNames(db: Db): Promise<string[]> {
  return (await db.collection('game_servers').indexes()).map(({ name }) => String(name));
}

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'shop-platform-migrations-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

describe('A data directory of the version before', () => {
  /** Stops the store of the data directory again when the work has ended. */
  async function inStore(work: (db: Db) => Promise<void>): Promise<void> {
    const store = await startEmbeddedStore({ path: join(dataDir, 'store') });
    const client = new MongoClient(store.uri);
    await work(client.db());
    await client.close();
    await store.close();
  }

  it('migrates a data directory of the version before at the start of the service', async () => {
    const first = ServiceProcess.start(dataDir, { DEMO: 'false' });
    const before = new Client(await first.url());
    const shop = await aShop(before);
    const { serverId, token } = { serverId: await aServer(before, shop), token: shop.owner.token };
    const productId = await aProduct(before, shop, { price: 9.99 });
    const report = { onlinePlayers: 3, maxPlayers: 20 };
    expectSuccess(await before.post(`/servers/${shop.shopId}/${serverId}/heartbeat`, report, { token }));
    expect(await first.stop()).toBe(0);
    await inStore(async (db) => {
      await db.collection('game_servers').updateMany({}, { $unset: { seenAt: 1 } });
      await db.collection('game_servers').createIndexes([OLD_INDEX]);
      await db.collection('entitlements').insertOne({ ...OWNED, createdAt: SEEN_AT });
      await db.collection('migrations').drop();
      await db.collection('price_changes').drop();
    });

    const second = ServiceProcess.start(dataDir, { DEMO: 'false' });
    const after = new Client(await second.url());
    expect(second.output).toContain('Migration 1, server-seen-at');
    const status = expectSuccess<Document>(await after.get(`/servers/public/${serverId}/status`));
    expect(status).toMatchObject({ status: 'online', players: { online: 3, max: 20 } });
    const prices = await after.get(`/products/${shop.shopId}/${productId}/prices`, { token });
    expect(expectSuccess(prices)).toEqual([{ from: expect.any(String), until: null, price: 9.99, saleId: null }]);
    expect(await second.stop()).toBe(0);
    await inStore(async (db) => {
      const [server] = await db.collection('game_servers').find().toArray();
      expect(server).toMatchObject({ seenAt: (server?.['heartbeat'] as Document)['at'] });
      expect(await indexNames(db)).toEqual(expect.arrayContaining(['announced_1_seenAt_1']));
      expect(await indexNames(db)).not.toContain(OLD_INDEX.name);
      expect(await db.collection('price_changes').findOne()).toMatchObject({ hasUnknownPast: true });
      expect(await db.collection('migrations').find().toArray()).toEqual([
        { _id: 1, name: 'server-seen-at', phase: 'expand', appliedAt: expect.any(Date) },
        { _id: 2, name: 'first-prices', phase: 'expand', appliedAt: expect.any(Date) },
        { _id: 3, name: 'buyer-profiles', phase: 'expand', appliedAt: expect.any(Date) },
        { _id: 4, name: 'entitlement-changed-at', phase: 'expand', appliedAt: expect.any(Date) },
        { _id: 5, name: 'sold-items', phase: 'expand', appliedAt: expect.any(Date) },
        { _id: 6, name: 'paid-entitlements', phase: 'expand', appliedAt: expect.any(Date) },
        { _id: 7, name: 'delivery-times', phase: 'expand', appliedAt: expect.any(Date) },
      ]);
      expect(await db.collection('entitlements').find().toArray()).toEqual([
        { _id: expect.any(ObjectId), ...OWNED, changedAt: SEEN_AT, paidMinor: 0, listMinor: 0 },
      ]);
    });

    const third = ServiceProcess.start(dataDir, { DEMO: 'false' });
    await third.url();
    expect(third.output).not.toMatch(/Migration \d/);
    await third.stop();
  });
});

describe('A replica set of the version before', () => {
  let client: MongoClient;
  let db: Db;
  let environment: Record<string, string>;
  let uri: string;

  beforeAll(() => {
    uri = testDatabaseUri();
    client = new MongoClient(uri);
    db = client.db();
  });
  beforeEach(async () => {
    environment = { NODE_ENV: 'test', DEMO: 'false', DATA_DIR: dataDir, MONGODB_URI: uri, TIME_LIMIT_FACTOR: '30' };
    await db.dropDatabase();
    await db.collection('game_servers').insertMany(Array.from({ length: MANY }, (_, at) => oldServer(at)));
    await db.collection('game_servers').createIndexes([OLD_INDEX]);
    await db.collection('products').insertMany(Array.from({ length: MANY }, (_, at) => oldProduct(at)));
    await db.collection('stats_ledger').insertMany(oldSales.map(({ entry }) => ({ ...entry })));
    await db.collection('orders').insertMany(oldSales.filter(({ isOrphan }) => !isOrphan).map(({ order }) => order));
    await db.collection('orders').insertMany(oldOrders.map((order) => ({ ...order })));
  });
  afterAll(async () => {
    await db.dropDatabase();
    await client.close();
  });

  const run = (...args: string[]): Promise<CommandResult> => runShopCommand(args, environment);

  /** Stops migrations at one of the servers: another transaction has changed it. */
  async function holdServer(position: number): Promise<() => Promise<void>> {
    const server = await db.collection('game_servers').findOne({}, { sort: { _id: 1 }, skip: position });
    const session = client.startSession();
    session.startTransaction();
    await db.collection('game_servers').updateOne({ _id: server?._id }, { $set: { isHidden: true } }, { session });
    return async () => {
      await session.abortTransaction();
      await session.endSession();
    };
  }

  function startMigration(): { child: ChildProcess; stderr: () => string; exitCode: Promise<unknown> } {
    const child = startShopCommand(['migrate'], environment);
    let stderr = '';
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    return { child, stderr: () => stderr, exitCode: once(child, 'close').then(([code]) => code as unknown) };
  }

  async function expectMigrated(): Promise<void> {
    const servers = await db.collection('game_servers').find().sort({ _id: 1 }).toArray();
    expect(servers.map(({ seenAt }) => seenAt as unknown)).toEqual(servers.map((_, at) => newField(at)));
    expect(servers.map(({ timesDueAt }) => timesDueAt as unknown)).toEqual(servers.map(() => SEEN_AT));
    expect(await indexNames(db)).toEqual(expect.arrayContaining(['announced_1_seenAt_1']));
    expect(await indexNames(db)).not.toContain(OLD_INDEX.name);
    // Each product that is sold has one price, those that were sold no more have none.
    const prices = await db.collection('price_changes').find().sort({ listMinor: 1 }).toArray();
    const sold = Array.from({ length: MANY }, (_, at) => at).filter((at) => at % 3 > 0);
    expect(prices.map(({ listMinor }) => listMinor as unknown)).toEqual(sold);
    const entries = await db.collection('stats_ledger').find().sort({ _id: 1 }).toArray();
    expect(entries.map(({ nicknameKey, profileDueAt }) => [nicknameKey, profileDueAt instanceof Date])).toEqual(
      oldSales.map(({ order, isOrphan }) => [isOrphan ? undefined : order.nicknameKey, !isOrphan]),
    );
    const orders = await db.collection('orders').find({ shopId: OLD_SHOP }).sort({ _id: 1 }).toArray();
    expect(orders.map(({ origin, items }) => ({ origin, items: items as unknown }))).toEqual(oldOrders.map(completed));
    // Numbers are given once. A migration that was killed leaves a gap.
    expect(new Set(orders.map(({ number }) => number as unknown)).size).toBe(MANY);
    expect(Math.min(...orders.map(({ number }) => Number(number)))).toBe(1_001);
    expect(await db.collection('migrations').countDocuments()).toBe(7);
    expect(await db.collection('migration_lock').countDocuments()).toBe(0);
  }

  it('stops a start of the service and each other command, with a sentence that says what to run', async () => {
    const service = ServiceProcess.start(dataDir, environment);
    expect(await service.exitCode()).toBe(1);
    expect(service.output).toContain(`Shop Platform did not start. ${PENDING}`);
    expect(await run('accounts')).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(PENDING) });
    expect(await db.collection('game_servers').countDocuments({ seenAt: { $exists: true } })).toBe(0);
  });

  it('migrates a replica set of the version before once, with two processes at the same time', async () => {
    const release = await holdServer(700);
    const both = [startMigration(), startMigration()];
    // One has begun, the other one waits for it or has begun too.
    await eventually(() => Promise.resolve(both.every(({ stderr }) => /Migration 1|Waiting/.test(stderr()))));
    await release();
    const done = 'The database has the schema of this version (migration 7).\n';
    expect(await Promise.all(both.map(({ exitCode }) => exitCode))).toEqual([0, 0]);
    const lines = both.flatMap(({ stderr }) => stderr().split('\n'));
    expect(lines.filter((line) => /^game_servers|^Waiting/.test(line)).sort()).toEqual([
      'Waiting: another process migrates the database, or was killed while it did',
      // Of migration 1 and of migration 7.
      `game_servers: ${MANY} documents changed`,
      `game_servers: ${MANY} documents changed`,
    ]);
    await expectMigrated();
    expect(await run('migrate')).toEqual({ code: 0, stdout: done, stderr: 'Creating missing indexes\n' });
  });

  it('completes a migration with the next process after one was killed half way', async () => {
    // In its second batch.
    const release = await holdServer(700);
    const killed = startMigration();
    await eventually(() => db.collection('game_servers').findOne({ seenAt: { $exists: true } }));
    killed.child.kill('SIGKILL');
    expect(await killed.exitCode).toBeNull();
    await release();
    expect(await db.collection('game_servers').countDocuments({ seenAt: { $exists: false } })).toBeGreaterThan(0);
    expect(await db.collection('migrations').countDocuments()).toBe(0);

    const second = await run('migrate');
    expect(second).toMatchObject({ code: 0, stderr: expect.stringContaining('Waiting: another process migrates') });
    await expectMigrated();
  });

  it('starts no older version after a change that ends its work, and warns it of another one', async () => {
    const newer = { name: 'newer', appliedAt: new Date() };
    const migrations = db.collection<Document & { _id: number }>('migrations');
    expect((await run('migrate')).code).toBe(0);
    await migrations.insertOne({ _id: 90, phase: 'expand', ...newer });
    expect(await run('accounts')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(
        'migrated by a newer version (migration 90, newer). This one still works with it',
      ),
    });
    await migrations.insertOne({ _id: 91, phase: 'contract', ...newer });
    const sentence =
      'The database was migrated by a newer version (migration 91, newer): start that version, or restore the backup from before the upgrade\n';
    for (const command of ['accounts', 'migrate']) {
      expect(await run(command)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(sentence) });
    }
  });
});
