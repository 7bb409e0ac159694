// Measures what a popular code costs: checkouts per second of 16 buyers without a code, and with one code in every order, in
// turns. Usage: npm run bench:checkout. It takes about half a minute and prints Markdown for RESULTS.md.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../test/support/start-service.js';
import { disconnect, load, median, quantile, send } from './http.js';

const ROUND_MS = 2_000;
const ROUNDS = 5;
const START_MS = 60_000;
const MOST_USES = 1_000_000;

const dataDir = mkdtempSync(join(tmpdir(), 'shop-platform-bench-'));
const service = startService({
  dataDir,
  env: {
    DEMO: 'true',
    RATE_LIMIT_FACTOR: '100000',
  },
});
try {
  const address = await service.started({ timeoutMs: START_MS, text: 'All of this is in' });
  const { shopId, productId, serverId, keys } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'));
  const api = `${address}/api/v2`;
  // With a key, the buyers have no address of their own, as when a storefront's server speaks for them.
  const post = (path, body) => ({
    url: `${api}${path}`,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': keys.secret },
    body: JSON.stringify(body),
  });
  let buyers = 0;
  const checkout = (discountCode) => () => {
    const buyer = `buyer${++buyers}`;
    const items = [{ productId, quantity: 1 }];
    return post(`/checkout/${shopId}/orders`, {
      items,
      serverId,
      nickname: buyer,
      email: `${buyer}@example.com`,
      discountCode,
    });
  };
  const discount = async (code, terms) => {
    const body = { code, type: 'percent', value: 10, ...terms };
    const { url, ...options } = post(`/discounts/${shopId}`, body);
    const { status, text } = await send(url, options);
    if (status !== 200) throw new Error(text);
    return code;
  };
  const variants = {
    'without a code': checkout(),
    'one code without limits': checkout(await discount('POPULAR')),
    'one code with `maxUses`': checkout(await discount('MANY', { maxUses: MOST_USES })),
    'one code with `maxUses` and `maxUsesPerBuyer`': checkout(
      await discount('LIMITED', { maxUses: MOST_USES, maxUsesPerBuyer: 1 }),
    ),
  };
  const results = Object.entries(variants).map(([name, next]) => ({ name, next, rates: [], p50s: [], p99s: [] }));
  for (const { next } of results) await load(next, ROUND_MS);
  // In turns, because other work on the machine changes the figures.
  for (let round = 0; round < ROUNDS; round++) {
    for (const { next, rates, p50s, p99s } of results) {
      const { rate, latencies } = await load(next, ROUND_MS);
      rates.push(rate);
      p50s.push(quantile(latencies, 0.5));
      p99s.push(quantile(latencies, 0.99));
    }
  }
  const [plain] = results;
  console.log('| Checkouts of 16 buyers | Per second | Share | p50 | p99 | p99 next to that without a code |');
  console.log('| --- | --- | --- | --- | --- | --- |');
  for (const { name, rates, p50s, p99s } of results) {
    const share = `${((median(rates) / median(plain.rates)) * 100).toFixed(0)} %`;
    const [p50, p99] = [median(p50s), median(p99s)].map((value) => `${value.toFixed(0)} ms`);
    const times = `${(median(p99s) / median(plain.p99s)).toFixed(1)} times`;
    console.log(`| ${name} | ${median(rates).toFixed(0)} | ${share} | ${p50} | ${p99} | ${times} |`);
  }
} catch (error) {
  console.error(service.output().slice(-4000));
  throw error;
} finally {
  disconnect();
  await service.stop('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
}
