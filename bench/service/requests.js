// The requests that are measured, with their names in targets.json.
import { newOrder } from '../with-service.js';
import { varyQueries } from './callers.js';
import { essenceOfPayment, nicknameChange, paymentOf, paymentWebhook } from './orders.js';

const JSON_HEADERS = { 'content-type': 'application/json' };
const post = (path, headers, body) => {
  return { path, method: 'POST', headers: { ...headers, ...JSON_HEADERS }, body: JSON.stringify(body) };
};

/** Does nothing: what the framework itself costs. */
const alive = {
  name: 'health/live',
  next: () => ({ path: '/health/live' }),
  essence: ({ status }) => status,
};

const team = {
  name: '1 team list',
  next: ({ shopId, key }) => ({ path: `/shops/${shopId}/team`, headers: key }),
  essence: ({ members, total }) => [members.map(({ id, email, role }) => [id, email, role]), total],
};

let names = 0;
const keyUpdate = {
  name: '2 API key update',
  // Each client changes a key of its own: requests that change the same one wait for each other.
  next: ({ changedKeys: { owner, ids } }, client) => {
    const body = JSON.stringify({ name: `Plugin ${++names}` });
    const headers = { ...owner, ...JSON_HEADERS };
    return { path: `/api-keys/${ids[client % ids.length]}`, method: 'PATCH', headers, body };
  },
  essence: ({ id, name, isActive }) => [id, name.startsWith('Plugin '), isActive],
};

const keyList = {
  name: '3 API key list',
  next: ({ owner }) => ({ path: '/api-keys', headers: owner }),
  essence: (keys) => keys.map(({ id, name, isActive }) => [id, name, isActive]),
};

export const validation = {
  name: '4 discount validation',
  next: ({ shopId, key, discountCode, productId, serverId }) => {
    const basket = { code: discountCode, orderValue: 49.99, productId, serverId };
    return post(`/discounts/${shopId}/validate`, key, basket);
  },
  essence: ({ valid, discountAmount, finalValue, currency }) => [valid, discountAmount, finalValue, currency],
};

const domainRemoval = {
  name: '6 domain removal',
  next: ({ shopId, key }) => ({ path: `/shops/${shopId}/domain`, method: 'DELETE', headers: key }),
  essence: ({ _id, uniqueName, displayName }) => [_id, uniqueName, displayName],
};

const comparison = {
  name: '7 comparison of 30 days',
  // Not before, so that the list of the keys of the demo shop is as short as that of the others.
  setUp: (service, { one: [demo], many }) => varyQueries(service, demo, many),
  next: ({ comparison: { shopId, key, query } }) => ({ path: `/stats/${shopId}/comparison?${query}`, headers: key }),
  // The last 30 days are local days for the service and 30 times 24 hours for the bare handler. Other periods are the same.
  essence: ({ currency, metrics: { grossRevenue } }, { comparison: { query } }) => [
    currency,
    ...(query === 'period=30d' ? [] : [grossRevenue.current, grossRevenue.previous]),
  ],
};

const publicStatus = {
  name: '8 public status',
  next: ({ serverId }) => ({ path: `/servers/public/${serverId}/status` }),
  essence: ({ id, name }) => [id, name],
};

export const checkout = {
  name: 'checkout',
  next: (caller) => post(`/checkout/${caller.shopId}/orders`, caller.key, newOrder(caller)),
  essence: ({ status, total, currency }) => [status, total, currency],
};

export const paidOrder = {
  name: 'paid order',
  next: checkout.next,
  follow: paymentOf,
  essence: essenceOfPayment,
};

/**
 * The requests in the order of the table. Those that make work for the jobs of the service come last, so that the jobs disturb no
 * other one.
 *
 * `setUp(service, callers)` must be called once before the first round, and `prepare(callers)` before each round.
 * `next(caller, client)` returns the next request of a client. `essence(data, caller)` returns what the responses of both handlers
 * must have in common. `follow(caller, data)` returns a second request, for what the first one has returned.
 * @param perRound how many requests of an endpoint a round may have
 */
export const requestsFor = ({ database, encryptionKey, perRound }) => [
  ...[alive, team, keyUpdate, keyList, validation],
  nicknameChange(database, encryptionKey, perRound),
  ...[domainRemoval, comparison, publicStatus],
  paymentWebhook(database, perRound),
  ...[checkout, paidOrder],
];
