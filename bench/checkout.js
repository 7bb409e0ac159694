// Measures what a popular code costs: checkouts per second of 16 buyers without a code, and with one code in every order, in
// turns. Usage: npm run bench:checkout. It takes about half a minute and prints Markdown for RESULTS.md.
import { load, median, quantile } from './http.js';
import { checkoutRequest, withService } from './with-service.js';

const ROUND_MS = 2_000;
const ROUNDS = 5;
const MOST_USES = 1_000_000;

await withService(async ({ api, call, openShop }) => {
  const shop = await openShop();
  const discount = async (code, terms) => {
    const body = { code, type: 'percent', value: 10, ...terms };
    await call('POST', `/discounts/${shop.shopId}`, { headers: shop.owner, body });
    return code;
  };
  const checkout = (discountCode) => () => checkoutRequest(api, shop, { discountCode });
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
});
