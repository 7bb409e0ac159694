import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Db, type Document, ObjectId } from 'mongodb';
import { aDeliveringShop, aPaidOrder, type DeliveringShop, lease } from '../deliveries/delivery-actors.js';
import { aDiscount, anOrder } from '../support/actors.js';
import { eventually } from '../support/eventually.js';
import { idOf, leftOf, type Records, recordsOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { testDatabaseUri } from '../support/test-database.js';

/** How many items of a job a process claims at once, and how many of them one transaction changes. */
const [BATCH, GROUP] = [200, 50];
const COUNT = BATCH + GROUP;
const databaseUri = testDatabaseUri();

let records: Records;
let db: Db;
/** The discount that the first group of unpaid orders has, and the order of the first delivery. */
let firstDiscount: string;
let firstOrder: ObjectId;
/** Above those that the service gives out. */
let lastNumber = 1_000_000;

beforeAll(async () => {
  const app = await startTestApp({ databaseUri });
  records = await recordsOf(app);
  ({ db } = records);
  const shop = await aDeliveringShop(app.api);
  firstDiscount = await unpaidOrders(app, shop, GROUP, new Date(0));
  await unpaidOrders(app, shop, COUNT - GROUP, new Date(1));
  firstOrder = await abandonedDeliveries(app, shop);
  await app.close();
});
afterAll(async () => {
  await db.dropDatabase();
  await records.close();
});

/** Replaces a document by many copies, each with its own id and these fields. Returns their ids. */
async function multiply(
  name: string,
  of: Document | null,
  count: number,
  fields: (index: number) => Document,
): Promise<ObjectId[]> {
  if (of === null) throw new Error(`${name} has no document to copy`);
  const { _id, ...original } = of;
  const copies = Array.from({ length: count }, (_, index) => ({ ...original, _id: new ObjectId(), ...fields(index) }));
  await db.collection(name).deleteOne({ _id: _id as ObjectId });
  await db.collection(name).insertMany(copies);
  return copies.map((copy) => copy._id);
}

/** Copies of an order, each with a number of its own, as no two orders of a shop have the same. Returns their ids. */
function multiplyOrder(order: Document | null, count: number, fields: Document): Promise<ObjectId[]> {
  return multiply('orders', order, count, () => ({ ...fields, number: (lastNumber += 1) }));
}

/** Unpaid orders whose time is over, all with one discount code, which has no uses left. Returns the id of the discount. */
async function unpaidOrders({ api }: TestApp, shop: DeliveringShop, count: number, expiryDueAt: Date): Promise<string> {
  const { shopId, productId, serverId } = shop;
  const { id: discountId, code } = await aDiscount(api, shop, { maxUses: count });
  const { id } = await anOrder(api, shopId, { productId, serverId, discountCode: code });
  const order = await db.collection('orders').findOne({ _id: idOf(id) });
  const overdue = { expiresAt: new Date(0), expiryDueAt, slots: undefined };
  const ids = await multiplyOrder(order, count, overdue);
  const use = await db.collection('redemptions').findOne({ orderId: idOf(id) });
  await multiply('redemptions', use, count, (index) => ({ orderId: ids[index] }));
  await db.collection('counter_shards').updateMany({ subjectId: idOf(discountId) }, { $set: { left: 0 } });
  return discountId;
}

/** Paid orders whose delivery was leased for the last time. Returns the order of the delivery that waited longest. */
async function abandonedDeliveries({ api }: TestApp, shop: DeliveringShop): Promise<ObjectId> {
  const { id } = await aPaidOrder(api, shop);
  await lease(api, shop);
  const order = await db.collection('orders').findOne({ _id: idOf(id) });
  const ids = await multiplyOrder(order, COUNT, {});
  const delivery = await db.collection('deliveries').findOne({ orderId: idOf(id) });
  await multiply('deliveries', delivery, COUNT, (index) => ({
    orderId: ids[index],
    attempt: 5,
    attemptsLeft: 0,
    dueAt: new Date(index),
  }));
  return ids[0] ?? new ObjectId();
}

const ended = async (): Promise<[expired: number, failed: number]> => [
  await db.collection('orders').countDocuments({ status: 'expired' }),
  await db.collection('deliveries').countDocuments({ state: 'uncertain' }),
];
/** Or more: when the machine is so slow that the time of the transaction of the spec is over, the first groups end before the kill. */
async function untilEnded(count: number): Promise<void> {
  let found: number[] = [];
  const isReached = async (): Promise<boolean> => {
    found = await ended();
    return found.every((number) => number >= count);
  };
  await eventually(isReached, () => found);
}

/** How many audit entries and how many entries in histories of orders the jobs have written. */
async function written(auditAction: string, historyAction: string): Promise<[audit: number, history: number]> {
  const entries = await db.collection('audit_log').find({ action: auditAction, principal: 'system' }).toArray();
  const orders = await db.collection('orders').find({ 'history.action': historyAction }).toArray();
  const histories = orders.flatMap(({ history }) => history as { action: string }[]);
  return [entries.length, histories.filter(({ action }) => action === historyAction).length];
}

it('ends every order and delivery exactly once in two processes, one of which is killed in the middle of its rounds', async () => {
  const config = { sweepIntervalMs: 50 };
  const session = records.client.startSession();
  session.startTransaction();
  // The first group of each job waits for this transaction. So the process that has claimed it stops in the middle of its rounds.
  const itsUses = { subjectId: idOf(firstDiscount) };
  await db.collection('counter_shards').updateMany(itsUses, { $inc: { revision: 1 } }, { session });
  await db.collection('orders').updateOne({ _id: firstOrder }, { $set: { nickname: 'Alex_42' } }, { session });
  const doomed = await startTestApp({ databaseUri, config });
  await untilEnded(BATCH - GROUP);
  const survivor = await startTestApp({ databaseUri, config });
  await untilEnded(BATCH);
  await doomed.kill();
  await session.abortTransaction();
  await session.endSession();

  // The first groups are still claimed. When the time of the claims is over, the other process ends them.
  await db.collection('orders').updateMany({ status: 'open' }, { $set: { expiryDueAt: new Date(0) } });
  await db.collection('deliveries').updateMany({ state: 'leased' }, { $set: { dueAt: new Date(0) } });
  await untilEnded(COUNT);
  await survivor.close();
  await doomed.close();
  expect(await written('order.expired', 'expired')).toEqual([COUNT, COUNT]);
  expect(await written('order.delivery_changed', 'goods_uncertain')).toEqual([COUNT, COUNT]);
  expect(await db.collection('orders').countDocuments({ deliveryStatus: 'uncertain' })).toBe(COUNT);
  for (const { _id, maxUses } of await db.collection('discounts').find().toArray()) {
    expect(await leftOf(db, _id)).toBe(maxUses);
  }
});
