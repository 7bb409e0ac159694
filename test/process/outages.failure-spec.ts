import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { StoreServer } from '../../packages/embedded-mongodb/src/server.js';
import { CommandFailPoints } from '../../packages/embedded-mongodb/test/support/fail-points.js';
import { type DatabaseGate, databaseGate } from '../payments/database-gate.js';
import { aSeller, requireConsistent, type Sales, type Seller, startSales } from '../payments/sales.js';
import { expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { testDatabaseUri } from '../support/test-database.js';

const OUT_OF_DISK_SPACE = 14031;
const AT_LEAST = 20;
/** In each direction, as between two countries. */
const DELAY_MS = 20;
const CUTS = 10;

describe('Orders and payments', () => {
  let databaseUri: string;
  let app: TestApp;
  let seller: Seller;
  let sales: Sales;

  /** Starts a service with the time limits of production, and sales. */
  async function startSelling(uri: string): Promise<void> {
    app = await startTestApp({ databaseUri: uri, env: { TIME_LIMIT_FACTOR: '1' } });
    seller = await aSeller(app.api);
    sales = startSales(app.api, seller);
    await sales.untilPaid(AT_LEAST);
  }

  /** Ends the sales. Every response was kept, and nothing is half done. */
  async function requireNothingLost(): Promise<void> {
    await sales.untilPaid(AT_LEAST);
    await sales.end();
    const stored = await inDatabase({ databaseUri }, (db) => requireConsistent(db, seller));
    const idsOf = (orders: readonly { readonly id: string }[]): string[] => orders.map(({ id }) => id);
    const shown = stored.map(({ _id, paymentStatus }) => ({ id: String(_id), paymentStatus: paymentStatus as string }));
    expect(idsOf(shown)).toEqual(expect.arrayContaining(idsOf(sales.orders)));
    const paid = shown.filter(({ paymentStatus }) => paymentStatus === 'paid');
    expect(idsOf(paid)).toEqual(expect.arrayContaining(idsOf(sales.paid)));
    expect(app.output()).not.toContain('"level":"error"');
  }

  describe('of a database behind a network', () => {
    let gate: DatabaseGate;

    beforeEach(async () => {
      databaseUri = testDatabaseUri();
      gate = await databaseGate(databaseUri);
      await startSelling(gate.uri);
    });
    afterEach(async () => {
      await app.close();
      await gate.close();
      await inDatabase({ databaseUri }, (db) => db.dropDatabase());
    });

    it('go on while it is slow and loses its connections', async () => {
      gate.delay(DELAY_MS);
      for (let cut = 0; cut < CUTS; cut++) {
        gate.shut();
        gate.open();
        await sales.untilPaid(1);
      }
      gate.delay(0);
      await requireNothingLost();
    });

    it('wait until it can be reached again', async () => {
      gate.shut();
      await sales.untilRejected(AT_LEAST);
      gate.open();
      await requireNothingLost();
    });

    it('wait until it is no longer silent', async () => {
      gate.stall();
      await sales.untilRejected(AT_LEAST);
      gate.open();
      await requireNothingLost();
    });
  });

  describe('of a database that rejects writes because its disk is full', () => {
    let folder: string;
    let store: StoreServer;
    let admin: MongoClient;

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'shop-platform-outage-'));
      store = await StoreServer.start({ path: folder, port: 0 }, new CommandFailPoints());
      databaseUri = store.uri;
      admin = await MongoClient.connect(store.uri);
      await startSelling(store.uri);
    });
    afterEach(async () => {
      await app.close();
      await admin.close();
      await store.close();
      await rm(folder, { recursive: true });
    });

    it('wait until there is space, while reads are served', async () => {
      const [configureFailPoint, failCommands] = ['failCommand', ['insert', 'update', 'findAndModify', 'delete']];
      const data = { failCommands, errorCode: OUT_OF_DISK_SPACE };
      await admin.db('admin').command({ configureFailPoint, mode: 'alwaysOn', data });
      await sales.untilRejected(AT_LEAST);
      const { shopId, owner } = seller;
      expectSuccess(await app.api.get(`/products/${shopId}`, { token: owner.token }));
      expectSuccess(await app.api.get(`/orders/${shopId}`, { token: owner.token }));
      await admin.db('admin').command({ configureFailPoint, mode: 'off' });
      await requireNothingLost();
    });
  });
});
