// Measures whether the comparison of two periods takes longer in a shop with many orders than in one with 10,000 in
// the same year. Usage: npm run bench:stats [-- COUNT]. It waits until the orders are folded, which takes minutes for each 100,000.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startEmbeddedStore } from '@shop-platform/embedded-mongodb';
import { MongoClient, ObjectId } from 'mongodb';
import { startService } from '../test/support/start-service.js';
import { disconnect, median, send } from './http.js';

const FEW = 10_000;
const MANY = Number(process.argv[2] ?? 1_000_000);
const PORTION = 5_000;
const CALLS = 200;
const START_MS = 60_000;
/** The orders are spread over this time, so a shop with more orders sells more in each hour. */
const SPAN_MS = 365 * 24 * 3_600_000;
const QUERIES = {
  'the last 30 days': 'period=30d',
  today: 'period=today',
  'the year, by month': 'period=year&granularity=month',
  'the last 30 days, by day': 'period=30d&granularity=day',
  'the last 30 days, of a server': 'period=30d&serverId=SERVER',
};

const dataDir = mkdtempSync(join(tmpdir(), 'shop-platform-bench-'));
const store = await startEmbeddedStore({ path: join(dataDir, 'store'), port: 0 });
const databaseUri = store.uri.replace('/?', '/bench?');
const service = startService({ dataDir, env: { RATE_LIMIT_FACTOR: '100000', MONGODB_URI: databaseUri } });
const client = await new MongoClient(databaseUri).connect();
const orders = client.db().collection('orders');
try {
  const api = `${await service.started({ timeoutMs: START_MS })}/api/v2`;
  const call = async (method, path, { body, headers = {} } = {}) => {
    const json = { 'content-type': 'application/json', ...headers };
    const { status, text } = await send(`${api}${path}`, { method, headers: json, body: body && JSON.stringify(body) });
    if (status !== 200) throw new Error(`${method} ${path} returned ${status}: ${text}`);
    return JSON.parse(text).data;
  };
  const owner = { email: 'owner@example.com', password: 'correct horse battery', name: 'Olivia' };
  const { accessToken } = await call('POST', '/auth/register', { body: owner });
  const bearer = { headers: { authorization: `Bearer ${accessToken}` } };

  /** Stores paid orders as an earlier version did, and has their sums computed. */
  const shopWith = async (count) => {
    const shop = {
      ...{ uniqueName: `bench-${count}`, displayName: 'Bench', currency: 'EUR', timezone: 'Europe/Berlin' },
      nicknameRule: { preset: 'minecraft-java' },
    };
    const shopId = (await call('POST', '/shops', { ...bearer, body: shop }))._id;
    const server = { name: 'Survival', game: 'minecraft-java', address: 'play.example.com' };
    const serverId = (await call('POST', `/servers/${shopId}`, { ...bearer, body: server })).id;
    const productId = new ObjectId();
    const now = Date.now();
    for (let stored = 0; stored < count; stored += PORTION) {
      const numbers = Array.from({ length: Math.min(PORTION, count - stored) }, (_, index) => stored + index);
      await orders.insertMany(
        numbers.map((number) => {
          const at = new Date(now - Math.floor(((number + 1) / count) * SPAN_MS));
          return {
            ...{ shopId: new ObjectId(shopId), serverId: new ObjectId(serverId), currency: 'EUR' },
            ...{ buyerKey: `buyer${(number * 7_919) % Math.ceil(count / 2)}@example.com`, itemCount: 1 },
            items: [{ productId, quantity: 1, totalMinor: 999 }],
            ...{ subtotalMinor: 999, discountMinor: 0, totalMinor: 999, createdAt: at, paidAt: at },
            ...{ isFirstPurchase: number % 2 === 0, reversals: [], status: 'completed', accessTokenHash: 'none' },
          };
        }),
      );
    }
    await call('POST', `/stats/${shopId}/rebuild`, { ...bearer, body: {} });
    const states = client.db().collection('stats_states');
    const isReady = async () => (await states.findOne({ shopId: new ObjectId(shopId) }))?.phase === 'ready';
    while (!(await isReady())) await pause(1_000);
    return { shopId, serverId };
  };
  const measure = async ({ shopId, serverId }) => {
    const medians = [];
    for (const query of Object.values(QUERIES)) {
      const times = [];
      for (let count = 0; count < CALLS; count++) {
        const began = performance.now();
        await call('GET', `/stats/${shopId}/comparison?${query.replace('SERVER', serverId)}`, bearer);
        times.push(performance.now() - began);
      }
      medians.push(median(times));
    }
    return medians;
  };
  const [few, many] = [await shopWith(FEW), await shopWith(MANY)];
  await measure(few);
  await measure(many);
  const [before, after] = [await measure(few), await measure(many)];
  console.log(`| Comparison, median of ${CALLS} | ${FEW} orders | ${MANY} orders | Times |`);
  console.log('| --- | --- | --- | --- |');
  for (const [index, name] of Object.keys(QUERIES).entries()) {
    const ratio = (after[index] / before[index]).toFixed(2);
    console.log(`| ${name} | ${before[index].toFixed(1)} ms | ${after[index].toFixed(1)} ms | ${ratio} |`);
  }
} catch (error) {
  console.error(service.output().slice(-4000));
  throw error;
} finally {
  disconnect();
  await client.close();
  await service.stop('SIGTERM');
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
}
