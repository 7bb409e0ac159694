// Measures whether the comparison of two periods takes longer in a shop with many orders than in one with 10,000. The orders of both
// are stored as the service has them after folding (folded-orders.js). Usage:
// npm run bench:stats [-- COUNT [SITUATION [FOLDER]]]. The situation is `history` or `rate`, by default one after the other. A folder
// keeps the shops, for measuring again within an hour. It prints Markdown for RESULTS.md. 10,000,000 orders need about 25 minutes, 35 GB
// of disk and some gigabytes of memory.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Worker } from 'node:worker_threads';
import { ObjectId } from 'mongodb';
import { SUMS_VERSION } from '../dist/stats/rollup-phases.js';
import { Orders, rollupsOf } from './folded-orders.js';
import { median } from './http.js';
import { withService } from './with-service.js';

const FEW = 10_000;
const MANY = Number(process.argv[2] ?? 1_000_000);
const TURNS = 200;
const WARM_UP = 50;
const PORTION = 5_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Orders are stored up to so long after the start, so that the shops sell at each moment that is measured. */
const AHEAD_MS = 2 * HOUR_MS;
const RATE_PER_DAY = 5_500;

/** How many orders the shops have, and how long a shop with `count` orders has sold. */
const SITUATIONS = {
  history: {
    title: `${RATE_PER_DAY} orders a day, a longer history`,
    // With 10,000 orders a shop is two days old. The second one has sold in both periods of most questions, as the third has.
    counts: [FEW, 350_000, MANY],
    spanMs: (count) => (count / RATE_PER_DAY) * DAY_MS,
  },
  rate: { title: 'one year, more orders a day', counts: [FEW, MANY], spanMs: () => 365 * DAY_MS },
};

const QUESTIONS = {
  'the last 30 days': 'period=30d',
  today: 'period=today',
  'the year, by month': 'period=year&granularity=month',
  'the last 30 days, by day': 'period=30d&granularity=day',
  'the last 30 days, of a server': 'period=30d&serverId=SERVER',
  'the last 30 days, of a product': 'period=30d&productId=PRODUCT',
};

/** A time zone in which it is between 18 and 19 h, so that `today` is as long whenever this runs. */
function eveningZone() {
  const hoursAhead = ((18 - new Date().getUTCHours() + 36) % 24) - 12;
  return hoursAhead === 0 ? 'Etc/GMT' : `Etc/GMT${hoursAhead > 0 ? '-' : '+'}${Math.abs(hoursAhead)}`;
}

/** @throws Error when an answer is not the sum of the orders */
function check({ orders }, { period, previous, generatedAt, metrics }) {
  // The rest of a running period is still ahead.
  const elapsed = { from: period.from, to: period.to < generatedAt ? period.to : generatedAt };
  for (const [side, window] of Object.entries({ current: elapsed, previous })) {
    const expected = orders.figures(window);
    const answered = Object.fromEntries(Object.keys(expected).map((name) => [name, metrics[name][side]]));
    if (isDeepStrictEqual(answered, expected)) continue;
    throw new Error(`${side}: ${JSON.stringify(answered)} is not ${JSON.stringify(expected)}`);
  }
}

/** Makes the shops without orders. Their state says that everything is folded. */
async function openShops({ call, openShop, database }, { counts, spanMs }) {
  const endMs = Date.now() + AHEAD_MS;
  const shops = [];
  for (const count of counts) {
    const { owner, ...shop } = await openShop(`bench-${count}`);
    const body = { shopId: shop.shopId, name: 'statistics', type: 'secret', permissions: ['stats:read'] };
    const { key } = await call('POST', '/api-keys', { headers: owner, body });
    const span = { count, spanMs: spanMs(count), endMs };
    const state = { phase: 'ready', cursor: null, buyers: new Orders(span).buyers, version: SUMS_VERSION };
    const written = { ...state, revision: 1, leasedUntil: new Date(0) };
    await database.collection('stats_states').insertOne({ shopId: new ObjectId(shop.shopId), ...written });
    shops.push({ ...shop, ...span, headers: { 'x-api-key': key } });
  }
  return shops;
}

/** Loads the orders in a thread, and computes their rollups meanwhile. */
async function loadOrders(shop, directory) {
  const workerData = { directory, database: 'bench', shop, ...shop };
  const worker = new Worker(new URL('load-documents.js', import.meta.url), { workerData });
  const loaded = new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  const portions = [...rollupsOf(new Orders(shop), shop)];
  await loaded;
  return portions.flat();
}

/** Fills the folder with the shops. Sums of buyers and of breakdowns are left out: a comparison reads none of them. */
async function fill(folder, situation) {
  mkdirSync(folder, { recursive: true });
  let shops = [];
  await withService(async (service) => (shops = await openShops(service, situation)), {}, folder);
  const loaded = [];
  for (const shop of shops) loaded.push(await loadOrders(shop, join(folder, 'store')));
  const rollups = loaded.flat();
  const insert = async ({ database }) => {
    for (let from = 0; from < rollups.length; from += PORTION) {
      await database.collection('stats_rollups').insertMany(rollups.slice(from, from + PORTION));
    }
  };
  await withService(insert, {}, folder);
  writeFileSync(join(folder, 'shops.json'), JSON.stringify(shops));
}

/** The times that a question takes in each of the shops, in turns, and each of them first in its turn. */
async function timesOf(ask, shops, question) {
  const times = [];
  for (let turn = 0; turn < WARM_UP + TURNS; turn++) {
    const ofTurn = [];
    for (const step of shops.keys()) {
      const at = (turn + step) % shops.length;
      const began = performance.now();
      await ask(shops[at], question);
      ofTurn[at] = performance.now() - began;
    }
    if (turn >= WARM_UP) times.push(ofTurn);
  }
  return times;
}

const row = (...cells) => console.log(`| ${cells.join(' | ')} |`);

async function measure({ call }, shops, title) {
  const timezone = encodeURIComponent(eveningZone());
  const ask = ({ shopId, serverId, productId, headers }, question) => {
    const query = question.replace('SERVER', serverId).replace('PRODUCT', productId);
    return call('GET', `/stats/${shopId}/comparison?${query}&timezone=${timezone}`, { headers });
  };
  for (const question of Object.values(QUESTIONS)) {
    for (const shop of shops) check(shop, await ask(shop, question));
  }
  const counts = shops.map(({ count }) => count);
  const fewer = counts.slice(0, -1);
  console.log(`\n${title}:\n`);
  const titles = counts.map((count) => `${count} orders`);
  row(`Comparison, median of ${TURNS}`, ...titles, ...fewer.map((count) => `Times ${count}`));
  row('---', ...[...counts, ...fewer].map(() => '---'));
  for (const [name, question] of Object.entries(QUESTIONS)) {
    const times = await timesOf(ask, shops, question);
    const medians = shops.map((_, at) => `${median(times.map((ofTurn) => ofTurn[at])).toFixed(1)} ms`);
    const ratios = fewer.map((_, at) => median(times.map((ofTurn) => ofTurn.at(-1) / ofTurn[at])).toFixed(2));
    row(name, ...medians, ...ratios);
  }
}

const [, , , chosen, kept] = process.argv;
for (const [name, situation] of Object.entries(SITUATIONS)) {
  if (chosen !== undefined && chosen !== name) continue;
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'shop-platform-bench-'));
  try {
    const list = join(folder, 'shops.json');
    if (!existsSync(list)) await fill(folder, situation);
    const shops = JSON.parse(readFileSync(list, 'utf8')).map((shop) => ({ ...shop, orders: new Orders(shop) }));
    await withService((service) => measure(service, shops, situation.title), {}, folder);
  } finally {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true });
  }
}
