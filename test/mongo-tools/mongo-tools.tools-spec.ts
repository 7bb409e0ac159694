import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Db, Decimal128, MongoClient } from 'mongodb';
import { aSellingShop, payment, sendCustom } from '../payments/senders.js';
import { aDiscount, anOrder } from '../support/actors.js';
import { type Content, contentOf, everyType } from '../support/database-content.js';
import { expectSuccess } from '../support/envelope.js';
import { runShopCommand } from '../support/shop-command.js';
import { SECRETS, startTestApp } from '../support/test-app.js';
import { testDatabaseUri } from '../support/test-database.js';

const ORDERS = 20;
const FUTURE = new Date('2099-01-01T00:00:00.000Z');
const runTool = promisify(execFile);

const [source, target] = [testDatabaseUri(), testDatabaseUri()];
let folder: string;
let content: Content;

async function shop(command: string, directory: string, databaseUri: string): Promise<void> {
  const env = { NODE_ENV: 'test', DATA_DIR: folder, MONGODB_URI: databaseUri, ...SECRETS };
  expect(await runShopCommand([command, directory], env)).toMatchObject({ code: 0 });
}

async function inDatabase(uri: string, work: (db: Db) => Promise<unknown>): Promise<void> {
  const client = await MongoClient.connect(uri);
  await work(client.db());
  await client.close();
}

/** A shop with paid orders, as the service stores it. */
async function sell(databaseUri: string): Promise<void> {
  const app = await startTestApp({ databaseUri });
  const selling = await aSellingShop(app.api);
  const { code } = await aDiscount(app.api, selling, {});
  for (let number = 0; number < ORDERS; number++) {
    const order = await anOrder(app.api, selling.shopId, {
      ...selling.orderRequest,
      ...(number % 2 === 0 && { discountCode: code }),
    });
    if (number % 3 > 0) expectSuccess(await sendCustom(app.api, selling.custom, payment(order)));
  }
  await app.close();
}

/** What the service does not store: other types and options of indexes, and a collection without documents. */
async function addTypesAndIndexes(db: Db): Promise<void> {
  const types = db.collection('every_type');
  await types.insertMany([...everyType(), { expiresAt: FUTURE }]);
  await types.createIndexes([
    { key: { 'nested.a': 1, int: -1 }, name: 'sparse', unique: true, sparse: true },
    { key: { long: 1 }, name: 'partial', partialFilterExpression: { long: { $gt: 0 } } },
    { key: { expiresAt: 1 }, name: 'expiring', expireAfterSeconds: 0 },
  ]);
  await db.createCollection('empty');
  // The embedded store refuses this type, and the service stores none.
  await types.insertOne({ decimal: Decimal128.fromString('1.10') }).catch((error: unknown) => {
    expect(error).toMatchObject({ codeName: 'NotImplemented' });
  });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shop-platform-tools-'));
  await sell(source);
  await inDatabase(source, addTypesAndIndexes);
  content = await contentOf(source);
  expect(content['orders']?.documents).toBe(ORDERS);
});
afterAll(async () => {
  for (const uri of [source, target]) await inDatabase(uri, (db) => db.dropDatabase());
  await rm(folder, { recursive: true, force: true });
});

describe('A database with every type and kind of index', () => {
  it('is the same after `backup` and mongorestore', async () => {
    const directory = join(folder, 'backup');
    await shop('backup', directory, source);
    const [name = ''] = (await readdir(directory, { withFileTypes: true }))
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
    const { pathname } = new URL(target);
    const server = target.replace(pathname, '/');
    await runTool('mongorestore', [
      '--uri',
      server,
      '--nsFrom',
      `${name}.*`,
      '--nsTo',
      `${pathname.slice(1)}.*`,
      directory,
    ]);
    expect(await contentOf(target)).toEqual(content);
  });

  it('is the same after mongodump and `restore`', async () => {
    await inDatabase(target, (db) => db.dropDatabase());
    const directory = join(folder, 'dump');
    await runTool('mongodump', ['--uri', source, '--out', directory]);
    await shop('restore', directory, target);
    expect(await contentOf(target)).toEqual(content);
  });
});
