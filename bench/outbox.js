// Measures two promises of the outbox: waiting messages do not slow down checkouts, and a receiver of webhooks that hangs does not
// delay the events of another one. Usage: npm run bench:outbox. It takes about three minutes and prints Markdown for RESULTS.md.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { ObjectId } from 'mongodb';
import { load, median, quantile } from './http.js';
import { checkoutRequest, newOrder, withService } from './with-service.js';

const ROUND_MS = 2_000;
const ROUNDS = 7;
const WAITING = 100_000;
const PORTION = 5_000;
const HOUR_MS = 3_600_000;
/** One less than a shop may have: `webhooksPerShop`. */
const HANGING = 19;
const EVENTS = 60;

/** Messages of a shop that wait for their next try, as after an hour without a mail server. */
async function addWaiting(database, shopId) {
  const entries = database.collection('outbox');
  for (let added = 0; added < WAITING; added += PORTION) {
    const now = Date.now();
    await entries.insertMany(
      Array.from({ length: PORTION }, () => {
        const _id = new ObjectId();
        return {
          ...{ _id, state: 'waiting', topic: 'email', shopId: new ObjectId(shopId), position: 1 },
          ...{ lane: `email shop ${shopId}`, stream: _id.toHexString(), sealedPayload: 'x'.repeat(2_000) },
          ...{ attempts: 5, lastError: 'ECONNREFUSED', createdAt: new Date(now - HOUR_MS), settledAt: null },
          ...{ dueAt: new Date(now + HOUR_MS + Math.random() * HOUR_MS), forgetAt: null },
        };
      }),
    );
  }
}

/** Checkouts of the same shop, in turns: with an empty outbox, and with messages that wait. */
async function measureCheckouts({ api, openShop, database }) {
  const shop = await openShop();
  const next = () => checkoutRequest(api, shop);
  const entries = database.collection('outbox');
  const figures = { empty: [], full: [], ratios: [] };
  await load(next, ROUND_MS);
  for (let round = 0; round < ROUNDS; round++) {
    await entries.deleteMany({ attempts: 5 });
    figures.empty.push((await load(next, ROUND_MS)).rate);
    await addWaiting(database, shop.shopId);
    figures.full.push((await load(next, ROUND_MS)).rate);
    figures.ratios.push(figures.full[round] / figures.empty[round]);
  }
  await entries.deleteMany({ attempts: 5 });
  console.log('| Checkouts of 16 buyers | Per second | Share |');
  console.log('| --- | --- | --- |');
  console.log(`| the outbox is empty | ${median(figures.empty).toFixed(0)} | 100 % |`);
  const share = `${(median(figures.ratios) * 100).toFixed(0)} %`;
  console.log(`| ${WAITING} messages wait | ${median(figures.full).toFixed(0)} | ${share} |\n`);
}

/** A receiver that remembers when it got the event of each order. */
class Receiver {
  seen = new Map();
  waiting = new Map();
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      const orderId = JSON.parse(text).data.order.id;
      this.seen.set(orderId, performance.now());
      this.waiting.get(orderId)?.();
      response.end();
    });
  });

  async arrivalOf(orderId) {
    if (!this.seen.has(orderId)) await new Promise((resolve) => this.waiting.set(orderId, resolve));
    return this.seen.get(orderId);
  }
}

/** A receiver that accepts connections and never answers. */
const hangingServer = () =>
  createTcpServer((socket) =>
    socket
      .unref()
      .on('error', () => undefined)
      .resume(),
  );

async function listen(server) {
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return `http://127.0.0.1:${server.address().port}/`;
}

/** The time from the response to a checkout until one receiver has its event, while other webhooks of the shop hang. */
async function measureHanging({ call, openShop }) {
  const shop = await openShop('hanging-shop');
  const { shopId, owner, storefront } = shop;
  const receiver = new Receiver();
  const [url, hangingUrl] = [await listen(receiver.server), await listen(hangingServer())];
  const webhook = (to, isActive) => ({ headers: owner, body: { url: to, events: ['order.created'], isActive } });
  await call('POST', `/webhooks/${shopId}`, webhook(url, true));
  const others = [];
  for (let count = 0; count < HANGING; count++) {
    others.push((await call('POST', `/webhooks/${shopId}`, webhook(hangingUrl, false))).id);
  }
  const switchTo = async (isActive) => {
    for (const id of others) await call('PATCH', `/webhooks/${shopId}/${id}`, { headers: owner, body: { isActive } });
  };
  const delays = async () => {
    const times = [];
    for (let count = 0; count < EVENTS; count++) {
      const order = { headers: storefront, body: newOrder(shop) };
      const { id } = await call('POST', `/checkout/${shopId}/orders`, order);
      const committed = performance.now();
      times.push(Math.max(0, (await receiver.arrivalOf(id)) - committed));
    }
    return times;
  };
  const alone = { name: 'all receivers answer', isActive: false, times: [] };
  const beside = { name: `${HANGING} others of the shop hang`, isActive: true, times: [] };
  for (let round = 0; round < 3; round++) {
    for (const { isActive, times } of [alone, beside]) {
      await switchTo(isActive);
      times.push(...(await delays()));
    }
  }
  receiver.server.closeAllConnections();
  console.log('| From a checkout to its event | Median | p99 |');
  console.log('| --- | --- | --- |');
  for (const { name, times } of [alone, beside]) {
    const ascending = times.toSorted((one, other) => one - other);
    const [p50, p99] = [0.5, 0.99].map((share) => `${quantile(ascending, share).toFixed(0)} ms`);
    console.log(`| ${name} | ${p50} | ${p99} |`);
  }
}

await withService(
  async (service) => {
    await measureCheckouts(service);
    await measureHanging(service);
  },
  { ALLOW_PRIVATE_WEBHOOK_TARGETS: 'true' },
);
