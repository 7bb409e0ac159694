import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoClient, ObjectId } from 'mongodb';
import { anOrder, aProduct, aServer, aShop, type TestOrder, type TestShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { testDatabaseUri } from '../support/test-database.js';
import { databaseGate, type DatabaseGate } from './database-gate.js';
import { aWebhook, sendCustom, type TestWebhook } from './senders.js';

/** A server keeps the transaction of a killed client for up to a minute. Until then, other writes may conflict with it. */
const ABANDONED_MS = 90_000;

let databaseUri: string;
let database: MongoClient;
let app: TestApp;
let shop: TestShop;
let orderRequest: { productId: string; serverId: string };
let webhook: TestWebhook;

beforeAll(async () => {
  databaseUri = testDatabaseUri();
  database = await MongoClient.connect(databaseUri);
  app = await startTestApp({ databaseUri });
  shop = await aShop(app.api);
  orderRequest = { productId: await aProduct(app.api, shop), serverId: await aServer(app.api, shop) };
  webhook = await aWebhook(app.api, shop, 'custom');
});
afterAll(async () => {
  await app.close();
  await database.db().dropDatabase();
  await database.close();
}, ABANDONED_MS);

const notify = ({ api }: TestApp, { id, total }: TestOrder) =>
  sendCustom(
    api,
    webhook,
    {
      type: 'payment.succeeded',
      orderId: id,
      paymentId: `pay_${id}`,
      amount: total,
      currency: 'EUR',
      occurredAt: '2026-11-21T08:00:00.000Z',
    },
    { eventId: `msg_${id}` },
  );

/** How often the order has the payment, and how many deliveries it has. */
async function effectsOn({ id }: TestOrder): Promise<{ payments: number; deliveries: number; attempts: number }> {
  const orderId = new ObjectId(id);
  const order = await database.db().collection('orders').findOne({ _id: orderId });
  const event = await database
    .db()
    .collection('payment_events')
    .findOne({ eventId: `msg_${id}` });
  return {
    payments: (order?.['payments'] as unknown[]).length,
    deliveries: await database.db().collection('deliveries').countDocuments({ orderId }),
    attempts: event?.['attempts'] as number,
  };
}

const ONCE = { payments: 1, deliveries: 1, attempts: 1 };

describe('A webhook during a failure of the process or the database', () => {
  it(
    'applies an event once when the process is killed as soon as it is stored, and the event is sent again',
    async () => {
      const order = await anOrder(app.api, shop.shopId, orderRequest);
      const doomed = await startTestApp({ databaseUri });
      const broken = notify(doomed, order).catch(() => undefined);
      await eventually(() =>
        database
          .db()
          .collection('payment_events')
          .findOne({ eventId: `msg_${order.id}` }),
      );
      await doomed.kill();
      await broken;
      let response = await notify(app, order);
      while (response.status === 503) response = await notify(app, order);
      expect(expectSuccess(response)).toEqual({
        received: true,
        events: [{ eventId: `msg_${order.id}`, state: 'processed', problem: null, duplicate: true }],
      });
      expect(await effectsOn(order)).toEqual(ONCE);
      await doomed.close();
    },
    ABANDONED_MS,
  );

  describe('while the database is unreachable', () => {
    let gate: DatabaseGate;
    let cutOff: TestApp;

    beforeAll(async () => {
      gate = await databaseGate(databaseUri);
      // The time limits of production: a response must come although the database never responds.
      cutOff = await startTestApp({ env: { TIME_LIMIT_FACTOR: '1' }, databaseUri: gate.uri });
    });
    afterAll(async () => {
      gate.open();
      await cutOff.close();
      await gate.close();
    });

    it('returns 503, so that the provider repeats the event, which then has one effect', async () => {
      const order = await anOrder(app.api, shop.shopId, orderRequest);
      gate.shut();
      const response = await notify(cutOff, order);
      expectError(response, 503, 'The service is temporarily unavailable; try again shortly');
      expect(response.headers['retry-after']).toMatch(/^[1-9]\d*$/);
      gate.open();
      await eventually(async () => (await notify(cutOff, order)).status === 200);
      expect(await effectsOn(order)).toEqual(ONCE);
    });
  });
});
