// Who sends the requests: one caller with the credentials of the demo shop, or callers of a shop each.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { newOrder } from '../with-service.js';

const POLL_MS = 100;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const PERMISSIONS = [
  ...['team:read', 'discounts:validate', 'shops:write', 'stats:read'],
  ...['orders:read', 'orders:write'],
];

/** What a new user needs to call the service. It writes this file when it listens. */
async function demoIn(dataDir) {
  const file = join(dataDir, 'demo.json');
  while (!existsSync(file)) await pause(POLL_MS);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** API keys that one person makes for a shop, one for each of these names. */
async function makeKeys(call, owner, shopId, names) {
  const keys = [];
  for (const name of names) {
    const body = { shopId, name, type: 'secret', permissions: PERMISSIONS };
    keys.push(await call('POST', '/api-keys', { headers: owner, body }));
  }
  return keys;
}

const names = (count) => Array.from({ length: count }, (_, number) => `Key ${number}`);

/** Adds what the requests about orders need: an order to copy, and the webhook of payments. */
async function selling(call, caller, webhook) {
  const body = newOrder(caller);
  const { id, total } = await call('POST', `/checkout/${caller.shopId}/orders`, { headers: caller.key, body });
  return { ...caller, orderId: id, total, webhook: { ...webhook, path: new URL(webhook.url).pathname } };
}

/**
 * The caller with the demo shop. The clients change API keys of one other person, so that the list of keys of the demo shop stays
 * as short as it is.
 * @param clients how many clients send its requests
 */
export async function demoCaller({ call, openShop, dataDir }, clients) {
  const { shopId, serverId, productId, discountCode, keys, owner, webhook } = await demoIn(dataDir);
  const other = await openShop('bench-keys');
  const changed = await makeKeys(call, other.owner, other.shopId, names(clients));
  const key = { 'x-api-key': keys.secret };
  const caller = {
    ...{ shopId, serverId, productId, discountCode, key },
    owner: { authorization: `Bearer ${owner.accessToken}` },
    login: { email: owner.email, password: owner.password },
    changedKeys: { owner: other.owner, ids: changed.map(({ id }) => id) },
    comparison: { shopId, key, query: 'period=30d' },
  };
  return selling(call, caller, webhook);
}

/** A caller with an own shop, person, server, product, discount code and key. */
export async function shopCaller({ call, openShop }, number) {
  const shop = await openShop(`bench-${number}`);
  const { shopId, owner, serverId, productId } = shop;
  const discount = { code: `BENCH${number}`, type: 'percent', value: 10 };
  await call('POST', `/discounts/${shopId}`, { headers: owner, body: discount });
  const settings = { enabled: true, credentials: {} };
  const provider = await call('PUT', `/payments/${shopId}/providers/custom`, { headers: owner, body: settings });
  const [changed, used] = await makeKeys(call, owner, shopId, ['Changed', 'Used']);
  const caller = {
    ...{ shopId, serverId, productId, discountCode: discount.code, owner },
    key: { 'x-api-key': used.key },
    changedKeys: { owner, ids: [changed.id] },
  };
  return selling(call, caller, { url: provider.webhookUrl, signingSecret: provider.signingSecret });
}

/**
 * Gives each caller a query of its own about the demo shop, which has orders: with a key of its own, about 30 days that begin at another
 * hour.
 */
export async function varyQueries({ call }, demo, callers) {
  // The token of the start may have expired by now.
  const { accessToken } = await call('POST', '/auth/login', { body: demo.login });
  const owner = { authorization: `Bearer ${accessToken}` };
  const keys = await makeKeys(call, owner, demo.shopId, names(callers.length));
  const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  for (const [number, caller] of callers.entries()) {
    const to = midnight - number * HOUR_MS;
    const [begin, end] = [to - 30 * DAY_MS, to].map((at) => new Date(at).toISOString());
    const query = `period=custom&from=${begin}&to=${end}`;
    caller.comparison = { shopId: demo.shopId, key: { 'x-api-key': keys[number].key }, query };
  }
}
