import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type ObjectId } from 'mongodb';
import { aDiscount, aProduct, aServer, aShop, type TestShop } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { printFigures } from '../support/figures.js';
import { idOf, leftOf, type Records, recordsOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { testDatabaseUri } from '../support/test-database.js';

/** `npm run long -- kill-checkouts` has more. */
const KEYS = Number(process.env['CHECKOUT_KEYS'] ?? 120);
const KEYS_AT_ONCE = Math.ceil(KEYS / 6);
const STOCK = 10_000;

/** A checkout with an Idempotency-Key. Its address is in no other one, so that its orders can be counted. */
interface Checkout {
  readonly key: string;
  readonly email: string;
  readonly nickname: string;
}

/** What the client of a checkout was sent. */
interface Sold {
  readonly id: string;
  readonly accessToken: string;
}

const databaseUri = testDatabaseUri();
let app: TestApp;
let records: Records;
let shop: TestShop;
let serverId: string;
let productId: string;
let discount: { readonly id: string; readonly code: string };
/** `unrecorded`: orders that were stored when the kill came before the response of their key was. */
const figures = { kills: 0, requests: 0, interrupted: 0, replayed: 0, unrecorded: 0 };

beforeAll(async () => {
  app = await startTestApp({ databaseUri });
  records = await recordsOf(app);
  shop = await aShop(app.api);
  serverId = await aServer(app.api, shop);
  productId = await aProduct(app.api, shop, { stock: STOCK });
  discount = await aDiscount(app.api, shop, { maxUses: STOCK });
});
afterAll(async () => {
  await app.close();
  await records.db.dropDatabase();
  await records.close();
});

/** Sends a checkout. Returns null when its client must repeat it: the service was killed, is overloaded, or still has the key in use. */
async function send({ key, email, nickname }: Checkout): Promise<Sold | null> {
  figures.requests++;
  const items = [{ productId, quantity: 1 }];
  const body = { items, serverId, nickname, email, discountCode: discount.code };
  const path = `/checkout/${shop.shopId}/orders`;
  const response = await app.api.post(path, body, { headers: { 'idempotency-key': key } }).catch(() => null);
  if (response === null) figures.interrupted++;
  if (response === null || [409, 503].includes(response.status)) return null;
  if (response.headers['idempotency-replayed'] === 'true') figures.replayed++;
  const { id, accessToken } = expectSuccess<Sold>(response);
  return { id, accessToken };
}

const countOrders = (): Promise<number> => records.db.collection('orders').countDocuments();

/** Kills the service and starts it again. The time passes for which the killed process had its keys. */
async function restart(): Promise<void> {
  await app.kill();
  figures.kills++;
  const requests = records.db.collection('idempotency_records');
  const unfinished = await requests.find({ sealedAnswer: null }).toArray();
  const ids = unfinished.map(({ creationId }) => creationId as ObjectId);
  figures.unrecorded += await records.db.collection('orders').countDocuments({ _id: { $in: ids } });
  await requests.updateMany({ sealedAnswer: null }, { $set: { leaseUntil: new Date(0) } });
  app = await startTestApp({ databaseUri });
}

const title =
  'places exactly one order for each Idempotency-Key, with one token, one use of its code and one unit of stock, while the service is killed';
it(title, async () => {
  const checkouts = Array.from({ length: KEYS }, (_, index) => ({
    key: randomUUID(),
    email: `buyer-${index}@example.com`,
    nickname: `Buyer_${index}`,
  }));
  /** Everything that the client of a key was sent. */
  const sold = new Map(checkouts.map(({ key }): [string, Sold[]] => [key, []]));
  const attempt = async (checkout: Checkout): Promise<Checkout[]> => {
    const order = await send(checkout);
    if (order === null) return [checkout];
    sold.get(checkout.key)?.push(order);
    return [];
  };
  let unsold: Checkout[] = [];
  let begun = 0;
  while (begun < KEYS) {
    const fresh = checkouts.slice(begun, begun + Math.max(1, KEYS_AT_ONCE - unsold.length));
    // Some clients send twice at once, as after a double click, and some repeat what has succeeded.
    const again = checkouts.slice(0, begun).filter(() => Math.random() < KEYS_AT_ONCE / 8 / begun);
    begun += fresh.length;
    const before = await countOrders();
    let isOver = false;
    const sent = Promise.all([...unsold, ...fresh, ...fresh.slice(0, KEYS_AT_ONCE / 8), ...again].map(attempt));
    void sent.finally(() => (isOver = true));
    const killedAfter = before + Math.floor(Math.random() * (begun - before + 1));
    await eventually(async () => isOver || (await countOrders()) >= killedAfter);
    await restart();
    unsold = [...new Set((await sent).flat())];
  }
  for (let from = 0; from < KEYS; from += KEYS_AT_ONCE) {
    const some = checkouts.slice(from, from + KEYS_AT_ONCE);
    await Promise.all(some.map((checkout) => eventually(async () => (await attempt(checkout)).length === 0)));
  }

  const stored = await records.db
    .collection('orders')
    .find({ shopId: idOf(shop.shopId) })
    .toArray();
  const ordersOf = (email: string): string[] =>
    stored.filter((order) => order['email'] === email).map(({ _id }) => String(_id));
  const results = checkouts.map(({ key, email }) => ({ orders: ordersOf(email), sold: sold.get(key) ?? [] }));
  printFigures({
    keys: KEYS,
    ...figures,
    orders: stored.length,
    lost: results.filter(({ orders, sold: mine }) => mine.some(({ id }) => !orders.includes(id))).length,
    doubled: results.filter(({ orders }) => orders.length > 1).length,
  });
  for (const { orders, sold: mine } of results) {
    expect(orders).toHaveLength(1);
    expect(new Set(mine.map(({ id }) => id))).toEqual(new Set(orders));
    expect(new Set(mine.map(({ accessToken }) => accessToken)).size).toBe(1);
  }
  expect(await leftOf(records.db, productId)).toBe(STOCK - KEYS);
  expect(await leftOf(records.db, discount.id)).toBe(STOCK - KEYS);
});
