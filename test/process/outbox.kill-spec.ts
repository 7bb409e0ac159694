import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { anOrder, aProduct, aServer, aShop, type TestShop, unique } from '../support/actors.js';
import { eventually } from '../support/eventually.js';
import { printFigures } from '../support/figures.js';
import { readEmail } from '../support/mime.js';
import { type Records, recordsOf } from '../support/records.js';
import { type SmtpServer, startSmtpServer } from '../support/smtp-server.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { testDatabaseUri } from '../support/test-database.js';

/** `npm run long -- kill-outbox` has more. */
const KILLS = Number(process.env['OUTBOX_KILLS'] ?? 3);
const ORDERS_AT_ONCE = 6;
const MAX_PAUSE_MS = 100;
const SLOW_MS = 30;

const databaseUri = testDatabaseUri();
let smtp: SmtpServer;
let app: TestApp;
let records: Records;
let shop: TestShop;
let orderRequest: { productId: string; serverId: string };

const start = (): Promise<TestApp> =>
  startTestApp({
    databaseUri,
    env: { SMTP_URL: smtp.url },
    config: { sweepIntervalMs: 50 },
  });

beforeAll(async () => {
  smtp = await startSmtpServer();
  smtp.beforeTaking = async () => {
    await sleep(Math.random() * SLOW_MS);
    if (Math.random() < 0.1) smtp.cutConnections();
  };
  app = await start();
  records = await recordsOf(app);
  shop = await aShop(app.api);
  orderRequest = { productId: await aProduct(app.api, shop), serverId: await aServer(app.api, shop) };
});
afterAll(async () => {
  await app.close();
  await records.db.dropDatabase();
  await records.close();
  await smtp.close();
});

const countOrders = (): Promise<number> => records.db.collection('orders').countDocuments();

/** The time passes for which a dead process had its lanes, and for which messages wait for their next attempt. */
async function passTime(): Promise<void> {
  await records.db.collection('outbox_lanes').updateMany({}, { $set: { leasedUntil: new Date(0) } });
  await records.db.collection('outbox').updateMany({ state: 'waiting' }, { $set: { dueAt: new Date(0) } });
}

/** The ids of the orders that the emails about new orders name, each with the ids of these emails. */
async function told(): Promise<Map<string, Set<string>>> {
  const emailsOf = new Map<string, Set<string>>();
  for (const { head, text } of await Promise.all(smtp.taken.map(readEmail))) {
    if (!head.includes('Subject: Your order at')) continue;
    const [orderId = ''] = /\b[0-9a-f]{24}\b/.exec(text) ?? [];
    const [, emailId = ''] = /^Message-ID: (.*)$/im.exec(head) ?? [];
    emailsOf.set(orderId, (emailsOf.get(orderId) ?? new Set()).add(emailId));
  }
  return emailsOf;
}

it(`reports every order that was stored, and no other, when the service is killed ${KILLS} times and the mail server too`, async () => {
  const accepted = new Set<string>();
  const order = async (): Promise<void> => {
    const buyer = { ...orderRequest, email: `buyer-${unique()}@example.com` };
    const placed = await anOrder(app.api, shop.shopId, buyer).catch(() => null);
    if (placed !== null) accepted.add(placed.id);
  };
  for (let kills = 0; kills < KILLS; kills++) {
    const killedAfter = (await countOrders()) + Math.floor(Math.random() * (ORDERS_AT_ONCE + 1));
    let isOver = false;
    const orders = Promise.all(Array.from({ length: ORDERS_AT_ONCE }, order)).then(() => (isOver = true));
    await eventually(async () => isOver || (await countOrders()) >= killedAfter);
    // So that emails are on their way too.
    await sleep(Math.random() * MAX_PAUSE_MS);
    await app.kill();
    await orders;
    await passTime();
    app = await start();
  }
  await Promise.all(Array.from({ length: ORDERS_AT_ONCE }, order));
  const stored = await records.db.collection('orders').find().project({ _id: 1 }).toArray();
  const ids = stored.map(({ _id }) => String(_id)).sort();
  for (const id of accepted) expect(ids).toContain(id);
  await eventually(async () => {
    await passTime();
    return (await records.db.collection('outbox').countDocuments({ state: 'waiting' })) === 0;
  });
  const emailIds = await told();
  printFigures({
    kills: KILLS,
    orders: ids.length,
    confirmed: accepted.size,
    emails: smtp.taken.length,
    lost: ids.filter((id) => !emailIds.has(id)).length,
    doubled: [...emailIds.values()].filter(({ size }) => size > 1).length,
  });
  expect([...emailIds.keys()].sort()).toEqual(ids);
  // A repeated email has the id of the first one.
  expect([...emailIds.values()].filter(({ size }) => size !== 1)).toEqual([]);
  expect(await records.db.collection('outbox').countDocuments({ state: 'failed' })).toBe(0);
});
