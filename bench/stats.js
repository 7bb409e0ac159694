// Measures whether the comparison of two periods takes longer in a shop with many orders than in one with 10,000 in
// the same year. Usage: npm run bench:stats [-- COUNT]. It waits until the orders are folded, which takes minutes for each 100,000.
import { setTimeout as pause } from 'node:timers/promises';
import { ObjectId } from 'mongodb';
import { median } from './http.js';
import { withService } from './with-service.js';

const FEW = 10_000;
const MANY = Number(process.argv[2] ?? 1_000_000);
const PORTION = 5_000;
const CALLS = 200;
/** The orders are spread over this time, so a shop with more orders sells more in each hour. */
const SPAN_MS = 365 * 24 * 3_600_000;
const QUERIES = {
  'the last 30 days': 'period=30d',
  today: 'period=today',
  'the year, by month': 'period=year&granularity=month',
  'the last 30 days, by day': 'period=30d&granularity=day',
  'the last 30 days, of a server': 'period=30d&serverId=SERVER',
};

await withService(async ({ call, openShop, database }) => {
  const orders = database.collection('orders');

  /** Stores paid orders as an earlier version did, and has their sums computed. */
  const shopWith = async (count) => {
    const { shopId, serverId, owner: headers } = await openShop(`bench-${count}`);
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
    await call('POST', `/stats/${shopId}/rebuild`, { headers, body: {} });
    const states = database.collection('stats_states');
    const isReady = async () => (await states.findOne({ shopId: new ObjectId(shopId) }))?.phase === 'ready';
    while (!(await isReady())) await pause(1_000);
    return { shopId, serverId, headers };
  };
  const measure = async ({ shopId, serverId, headers }) => {
    const medians = [];
    for (const query of Object.values(QUERIES)) {
      const times = [];
      for (let count = 0; count < CALLS; count++) {
        const began = performance.now();
        await call('GET', `/stats/${shopId}/comparison?${query.replace('SERVER', serverId)}`, { headers });
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
});
