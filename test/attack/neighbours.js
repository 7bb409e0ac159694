// One key that stays within its limits, and requests what costs the service most. Another shop is read meanwhile, and in the same run
// without that key: the slowest hundredth of its reads may take twice as long, or up to 50 ms.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { servedStoreUri } from '@shop-platform/embedded-mongodb';
import { MongoClient, ObjectId } from 'mongodb';
import { call, openShop, p99, readingKey, send, steadily } from './readers.js';
import { startTarget } from './target.js';

const DAY_MS = 86_400_000;
/** The demo shop has orders of 90 days. Half of them again for each 90 days before make 22,500 in two years. */
const OLDER_PERIODS = 7;
const PERIOD_MS = 90 * DAY_MS;
const INSERTED_AT_ONCE = 1_000;

/** How many requests the limit of a key lets it send in a minute. */
const KEY_LIMIT = 600;
/** Each with a key that stays within its limit. */
const READING_SHOPS = 3;
const READS_PER_SECOND = 25;
const PHASE_MS = 10_000;
const ROUNDS = 2;
const MOST_TIMES = 2;
const ALWAYS_ALLOWED_MS = 50;
/** Ends a wait that hangs. It is long, so that no result depends on the speed of the machine. */
const PATIENCE_MS = 600_000;

/** Gives the demo shop the orders of two years: as many as a busy shop has. */
async function addOlderOrders(dataDir, shopId) {
  const client = await new MongoClient(await servedStoreUri(join(dataDir, 'store'))).connect();
  try {
    const orders = client.db().collection('orders');
    const shifted = (date, byMs) => date && new Date(date.getTime() - byMs);
    const demo = await orders.find({ shopId: new ObjectId(shopId) }, { projection: { slots: 0 } }).toArray();
    for (let period = 1; period <= OLDER_PERIODS; period++) {
      const older = demo
        .filter((_, index) => index % 2 === period % 2)
        .map(({ payments, ...order }) => {
          const _id = new ObjectId();
          const number = period * 1_000_000 + order.number;
          const byMs = period * PERIOD_MS;
          return {
            ...{ ...order, _id, number, accessTokenHash: _id.toHexString(), buyerKey: `${period}-${order.buyerKey}` },
            ...{ createdAt: shifted(order.createdAt, byMs), paidAt: shifted(order.paidAt, byMs) },
            payments: payments.map((payment) => ({ ...payment, occurredAt: shifted(payment.occurredAt, byMs) })),
          };
        });
      for (let at = 0; at < older.length; at += INSERTED_AT_ONCE) {
        await orders.insertMany(older.slice(at, at + INSERTED_AT_ONCE));
      }
    }
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** Whether the statistics of the busy shop are complete. */
async function isComplete({ client, demo }) {
  const ofShop = { shopId: new ObjectId(demo.shopId) };
  const state = await client.db().collection('stats_states').findOne(ofShop);
  const ledger = client.db().collection('stats_ledger');
  return state?.phase === 'ready' && (await ledger.findOne({ ...ofShop, pending: true })) === null;
}

/** Does something again and again until the statistics of the busy shop are complete. */
async function untilComplete(busy, work) {
  const endsAt = Date.now() + PATIENCE_MS;
  do {
    if (Date.now() > endsAt) throw new Error('the statistics of the busy shop are never complete');
    await work();
  } while (!(await isComplete(busy)));
}

let prepared;
/** A service with a busy shop, a key of that shop, and other shops that are read. All attacks share it. */
const busyTarget = () => (prepared ??= prepare());

async function prepare() {
  const target = await startTarget({ env: { DEMO: 'true' } });
  const { url, demo, dataDir } = target;
  const { shopId } = demo;
  const client = await addOlderOrders(dataDir, shopId);
  const owner = { authorization: `Bearer ${demo.owner.accessToken}` };
  const permissions = ['stats:read', 'stats:write', 'orders:read', 'products:read', 'webhooks:read'];
  const body = { shopId, name: 'Busy', type: 'secret', permissions };
  const { key } = await call(`${url}/api-keys`, { method: 'POST', headers: owner, body });
  const headers = { 'x-api-key': key };
  const readers = [];
  for (let number = 0; number < READING_SHOPS; number++) {
    readers.push(await readingKey(url, await openShop(url, `reader-${number}`)));
  }
  await call(`${url}/stats/${shopId}/rebuild`, { method: 'POST', headers, body: {} });
  const busy = { ...target, client, readers, headers };
  await untilComplete(busy, () => pause(100));
  return busy;
}

/**
 * Reads the other shops for a time. Returns how long each read took, from the moment at which it was due; for ever when it did not
 * succeed.
 */
const read = ({ readers }, forMs) =>
  steadily(READS_PER_SECOND, forMs, async (number, due) => {
    const { url, headers } = readers[number % readers.length];
    const { status } = await send(url, { headers });
    return status === 200 ? performance.now() - due : Infinity;
  });

/**
 * Measures the reads of other shops without the key, with it, without it, and so on.
 * @param sendAll sends the requests of the key for a time; returns their statuses
 */
async function measure(target, sendAll) {
  const [quiet, busy, statuses] = [[], [], []];
  quiet.push(...(await read(target, PHASE_MS)));
  for (let round = 0; round < ROUNDS; round++) {
    const sent = sendAll(target, PHASE_MS);
    // A rebuild begins and goes on after its request.
    await untilComplete(target, async () => busy.push(...(await read(target, PHASE_MS))));
    statuses.push(...(await sent));
    quiet.push(...(await read(target, PHASE_MS)));
  }
  const [without, withKey] = [p99(quiet), p99(busy)];
  const countOf = (status) => statuses.filter((other) => other === status).length;
  const counts = [...new Set(statuses)].map((status) => `${countOf(status)} times ${status}`);
  const isServed = countOf(200) > 0 && countOf(200) + countOf(429) === statuses.length;
  return {
    ok: isServed && withKey <= Math.max(ALWAYS_ALLOWED_MS, MOST_TIMES * without),
    figure: `p99 of reads ${without.toFixed(0)} ms without the key, ${withKey.toFixed(0)} ms with it, which got ${counts.join(', ')}`,
  };
}

/** The requests of the key, at an even rate. @param next returns the path and the options of the request with a number */
const evenly = (next) => (target, forMs) =>
  steadily(KEY_LIMIT / 60, forMs, async (number) => {
    const { path, ...options } = next(target.demo, number);
    return (await send(target.url + path, { headers: target.headers, ...options })).status;
  });

const post = (path, body = {}) => ({ path, method: 'POST', body });

const instant = (daysAgo) => new Date(Date.now() - daysAgo * DAY_MS).toISOString();
/** Two years, day by day, in a zone whose days begin within an hour of UTC. Each one reads other instants. */
const widely = ({ shopId, serverId, productId }, number) => {
  const shift = (number % 97) / 1_000;
  const year = `period=custom&from=${instant(365 + shift)}&to=${instant(0.1 + shift)}`;
  const before = `compare=custom&compareFrom=${instant(730 + shift)}&compareTo=${instant(366 + shift)}`;
  const filter = ['', `&productId=${productId}`, `&serverId=${serverId}`][number % 3];
  return { path: `/stats/${shopId}/comparison?${year}&${before}&granularity=day&timezone=Asia/Kathmandu${filter}` };
};
const hourly = ({ shopId }, number) => {
  const shift = (number % 97) / 1_000;
  const month = `from=${instant(31 + shift)}&to=${instant(shift)}`;
  return { path: `/stats/${shopId}/comparison?period=custom&${month}&granularity=hour&timezone=Asia/Kolkata` };
};
const split = ({ shopId }, number) => {
  const by = ['product', 'server', 'paymentMethod', 'discount'][number % 4];
  return {
    path: `/stats/${shopId}/breakdown?by=${by}&limit=100&period=custom&from=${instant(365)}&to=${instant(0.1)}`,
  };
};
const exportedStats = ({ shopId }) => ({
  path: `/stats/${shopId}/export?period=custom&from=${instant(365)}&to=${instant(0.1)}`,
});
const exportedOrders = ({ shopId }) => ({ path: `/orders/${shopId}/export` });
const lists = ({ shopId, productId }, number) => {
  const filters = [
    `productId=${productId}&to=${instant(number % 700)}`,
    'email=nobody@example.com',
    'nickname=nobody',
    'paymentStatus=needs_review',
    'status=open&deliveryStatus=failed',
  ];
  return { path: `/orders/${shopId}?limit=100&${filters[number % filters.length]}` };
};
const quoted = ({ shopId, serverId, discountCode }) =>
  post(`/checkout/${shopId}/quote`, {
    items: Array.from({ length: 50 }, (_, index) => ({ productId: String(index).padStart(24, '0'), quantity: 1000 })),
    ...{ serverId, discountCode, nickname: 'x'.repeat(16), email: 'buyer@example.com' },
  });
const rebuilds = ({ shopId }) => post(`/stats/${shopId}/rebuild`);

/** An attack of one kind of request. */
const oneKind = (name, next) => ({
  name: `One key within its limits does not slow other shops: ${name}`,
  long: true,
  prepare: busyTarget,
  run: async () => measure(await busyTarget(), evenly(next)),
});

export const neighbourAttacks = [
  oneKind('comparisons of two years by day', widely),
  oneKind('comparisons of a month by hour', hourly),
  oneKind('breakdowns of a year', split),
  oneKind('exports of statistics', exportedStats),
  oneKind('exports of orders', exportedOrders),
  oneKind('lists of orders with filters', lists),
  oneKind('quotes of 50 products', quoted),
  oneKind('rebuilds', rebuilds),
];
