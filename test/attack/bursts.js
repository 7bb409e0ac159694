// Bursts of one caller, all of whose requests stay within its limits. Meanwhile other shops are read, also from the address of the burst:
// the slowest hundredth of their reads may take twice as long as without a burst, or up to 100 ms, and none may be rejected. Health
// checks get a response within a second.
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { call, openShop, p99, readingKey, send, steadily } from './readers.js';
import { startTarget } from './target.js';

const READING_SHOPS = 3;
/** With the keys of all shops: less than the 600 a minute that each of them may send. */
const READS_PER_SECOND = 25;
const CHECKS_PER_SECOND = 5;
const QUIET_MS = 5_000;
/** Reads go on in slices of this time until the burst is over. */
const SLICE_MS = 500;
const BURSTS = 3;
const MOST_TIMES = 2;
const ALWAYS_ALLOWED_MS = 100;
const HEALTH_MS = 1_000;

let prepared;
/** A service with a shop that is attacked and shops that are read. All bursts share it, each with keys and addresses of its own. */
const target = () => (prepared ??= prepare());

async function prepare() {
  const { url, demo, dataDir } = await startTarget({ env: { DEMO: 'true', TRUST_PROXY: '1' } });
  const readers = [];
  for (let number = 0; number < READING_SHOPS; number++) {
    readers.push(await readingKey(url, await openShop(url, `quiet-${number}`)));
  }
  return { url, demo, dataDir, readers };
}

let addresses = 0;
/** An address that nobody else uses. */
const anAddress = () => `203.0.113.${++addresses}`;
const from = (address) => ({ 'x-forwarded-for': address });

let made = 0;
/** A new key that reads the products of the demo shop. */
const aKey = async ({ url, demo }) => {
  const headers = { authorization: `Bearer ${demo.owner.accessToken}` };
  const create = (path, body) => call(url + path, { method: 'POST', headers, body });
  return (await readingKey(url, { shopId: demo.shopId, create })).headers;
};

/** Sends requests at once from another thread. Returns their statuses. */
async function burstOf(requests) {
  const sender = new Worker(new URL('burst-sender.js', import.meta.url), { workerData: requests });
  const [statuses] = await once(sender, 'message');
  await sender.terminate();
  return statuses;
}

/** Reads the other shops and checks the health for a time. Returns how long each took from when it was due; for ever when it failed. */
async function observe({ url, readers }, forMs, addressOf) {
  const timed = async (due, path, headers) => {
    const { status } = await send(path, { headers });
    return status === 200 ? performance.now() - due : Infinity;
  };
  const [reads, checks] = await Promise.all([
    steadily(READS_PER_SECOND, forMs, (number, due) => {
      const reader = readers[number % readers.length];
      return timed(due, reader.url, { ...reader.headers, ...from(addressOf(number)) });
    }),
    steadily(CHECKS_PER_SECOND, forMs, (_, due) => timed(due, `${url}/health/ready`, from('192.0.2.99'))),
  ]);
  return { reads, checks };
}

/** Observes until work is done. */
async function observeUntil(service, work, addressOf) {
  let isDone = false;
  const done = work.finally(() => (isDone = true));
  const [reads, checks] = [[], []];
  do {
    const seen = await observe(service, SLICE_MS, addressOf);
    reads.push(...seen.reads);
    checks.push(...seen.checks);
  } while (!isDone);
  return { reads, checks, result: await done };
}

const shown = (statuses) =>
  [...new Set(statuses)]
    .map((status) => `${statuses.filter((other) => other === status).length} times ${status}`)
    .join(', ');

/**
 * Measures what several bursts do to others.
 * @param aBurst makes the requests of the next one, and names the address that one of the other shops shares with it
 */
async function measure(aBurst, allowed = [200, 429]) {
  const service = await target();
  const ownAddress = (number) => `192.0.2.${1 + (number % READING_SHOPS)}`;
  // The first requests after the start are slow.
  await observe(service, QUIET_MS, ownAddress);
  const quiet = await observe(service, QUIET_MS, ownAddress);
  const [reads, checks, statuses] = [[], [], []];
  for (let number = 0; number < BURSTS; number++) {
    const { requests, address } = await aBurst(service);
    // The first of the reading shops is behind the address of the burst.
    const addressOf = (read) => (read % READING_SHOPS === 0 ? address : ownAddress(read));
    const seen = await observeUntil(service, burstOf(requests), addressOf);
    reads.push(...seen.reads);
    checks.push(...seen.checks);
    statuses.push(...seen.result);
  }
  const [without, during] = [p99(quiet.reads), p99(reads)];
  const rejected = [...reads, ...checks].filter((time) => time === Infinity).length;
  const slowestCheck = Math.max(...checks);
  const isServed = statuses.includes(200) && statuses.every((status) => allowed.includes(status));
  return {
    ok:
      isServed &&
      rejected === 0 &&
      slowestCheck <= HEALTH_MS &&
      during <= Math.max(ALWAYS_ALLOWED_MS, MOST_TIMES * without),
    figure:
      `p99 of ${reads.length} reads of others ${during.toFixed(0)} ms (quiet: ${without.toFixed(0)} ms), ${rejected} of them and of health checks ` +
      `rejected, slowest check ${slowestCheck.toFixed(0)} ms; the bursts got ${shown(statuses)}`,
  };
}

const repeat = (count, item) => Array.from({ length: count }, (_, number) => item(number));

/** 590 reads with one key, which may send 600 a minute. */
const ofKey = () =>
  measure(async (service) => {
    const [address, key] = [anAddress(), await aKey(service)];
    const url = `${service.url}/products/${service.demo.shopId}`;
    return { address, requests: repeat(590, () => ({ url, headers: { ...key, ...from(address) } })) };
  });

/** 118 reads of the OpenAPI document from each of ten addresses, which may send 120 a minute. */
const ofDocument = () =>
  measure(
    ({ url }) => {
      const own = repeat(10, anAddress);
      const requests = repeat(1_180, (number) => ({
        url: `${url}/openapi.json`,
        headers: from(own[number % own.length]),
      }));
      return { address: own[0], requests };
    },
    [200],
  );

/** A new shop that sells something. */
async function aSellingShop({ url }) {
  const { shopId, productId, create } = await openShop(url, `sells-${++made}`);
  const { id: serverId } = await create(`/servers/${shopId}`, { name: 'Survival', game: 'minecraft' });
  return { url: `${url}/checkout/${shopId}/orders`, productId, serverId };
}

/** An order of one product. */
const order = ({ url, productId, serverId }, address, buyer) => ({
  url,
  method: 'POST',
  headers: from(address),
  body: { items: [{ productId, quantity: 1 }], serverId, ...buyer },
});

const aBuyer = () => {
  const nickname = `Burst_${++made}`;
  return { nickname, email: `${nickname}@example.com` };
};

/** Checkouts without a key from 16 addresses, 28 from each. An honest buyer of the same shop then checks out, too. */
const ofCheckouts = async () => {
  const buyers = [];
  const { ok, figure } = await measure(
    async (service) => {
      const shop = await aSellingShop(service);
      const own = repeat(16, anAddress);
      const requests = repeat(448, (number) => order(shop, own[number % own.length], aBuyer()));
      const { url, ...options } = order(shop, anAddress(), aBuyer());
      buyers.push(pause(SLICE_MS / 2).then(() => send(url, options)));
      return { address: own[0], requests };
    },
    [200, 409, 429],
  );
  const statuses = (await Promise.all(buyers)).map(({ status }) => status);
  return {
    ok: ok && statuses.every((status) => status === 200),
    figure: `${figure}; other buyers of the shop got ${shown(statuses)}`,
  };
};

/** How many emails to an address the service has written. */
const emailsTo = (dataDir, email) => {
  const folder = join(dataDir, 'mail');
  const mails = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
  return mails.filter((mail) => mail.includes(`To: ${email}`)).length;
};

/** 150 orders from 15 addresses, each of which would send an email to the same mailbox. */
const ofEmails = async () => {
  const email = 'victim@example.com';
  const { ok, figure } = await measure(
    async (service) => {
      const shop = await aSellingShop(service);
      const own = repeat(15, anAddress);
      const requests = repeat(150, (number) => order(shop, own[number % own.length], { ...aBuyer(), email }));
      return { address: own[0], requests };
    },
    [200, 409, 429],
  );
  const { url, dataDir } = await target();
  // Until nothing waits.
  while ((await call(`${url}/health/ready`)).mail.waiting > 0) await pause(SLICE_MS);
  const emails = emailsTo(dataDir, email);
  return { ok: ok && emails >= 1 && emails <= 5, figure: `${figure}; ${emails} emails reached the mailbox` };
};

/** 600 reads of one visitor with the storefront key of a shop, which every page of the shop has. Another visitor reads with it meanwhile. */
const ofVisitor = async () => {
  const visitors = [];
  const { ok, figure } = await measure(({ url, demo }) => {
    const address = anAddress();
    const read = { url: `${url}/products/${demo.shopId}`, headers: { 'x-api-key': demo.keys.storefront } };
    const readFrom = (one) => ({ ...read, headers: { ...read.headers, ...from(one) } });
    const { url: path, ...options } = readFrom(anAddress());
    visitors.push(steadily(20, 2 * SLICE_MS, () => send(path, options)).then((all) => all.map(({ status }) => status)));
    return { address, requests: repeat(600, () => readFrom(address)) };
  });
  const statuses = (await Promise.all(visitors)).flat();
  return {
    ok: ok && statuses.every((status) => status === 200),
    figure: `${figure}; other visitors with the key got ${shown(statuses)}`,
  };
};

/** What a burst of one caller does to others depends on what else the machine does. */
const attack = (name, run) => ({
  name: `A burst makes only its caller wait: ${name}`,
  long: true,
  prepare: target,
  run,
});

export const burstAttacks = [
  attack('590 requests with one key', ofKey),
  attack('1,180 reads of openapi.json from 10 addresses', ofDocument),
  attack('448 checkouts without a key from 16 addresses', ofCheckouts),
  attack('150 orders with one mailbox', ofEmails),
  attack('600 reads of one visitor with a storefront key', ofVisitor),
];
