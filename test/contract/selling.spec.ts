import { expect, it } from '@jest/globals';
import { discountWith } from '../support/discounts.js';
import { changeWith, saleWith } from '../support/prices.js';
import { soldWith } from '../support/snapshots.js';
import { isReduced, netOf, priceBasket, unitPrice, withCode } from '../../src/catalogue/pricing/price-basket.js';
import { NO_END } from '../../src/catalogue/pricing/price-change.types.js';
import { priorPriceAt, priorPrices } from '../../src/catalogue/pricing/prior-prices.js';
import { tierStanding } from '../../src/catalogue/pricing/upgrade-credit.js';
import { type SoldSale } from '../../src/catalogue/sales/sale.types.js';
import { DAY_MS } from '../../src/lib/time/durations.js';
import { read, table } from './pages.js';

const PAGE = await read('docs/selling.md');
const NONE = '-';
const day = (number: number): Date => new Date(Date.UTC(2026, 0, 1) + number * DAY_MS);
const minor = (amount: string): number => Math.round(Number(amount) * 100);
const major = (amount: number | null): string => (amount === null ? 'null' : (amount / 100).toFixed(2));

/** What `25 %` or `4.00 off` takes off. */
function reductionOf(written: string): Pick<SoldSale, 'type' | 'value'> {
  const [, value = '', isPercent] = /^([\d.]+) (?:(%)|off)/.exec(written) ?? [];
  return isPercent === undefined ? { type: 'fixed', value: minor(value) } : { type: 'percent', value: Number(value) };
}

it.each(table(PAGE, 'prices'))(
  'reduces %s, %s times, by %s and the code %s to %s',
  (price, quantity, sales, code, paid) => {
    const running = (sales === NONE ? [] : sales.split(', ')).map((written, index) =>
      saleWith({ id: String(index), ...reductionOf(written) }),
    );
    const product = soldWith({ priceMinor: minor(price) });
    const { lines } = priceBasket([{ product, quantity: Number(quantity) }], running, day(0));
    const excludesReduced = code.endsWith(', not on reduced ones');
    const discount = code === NONE ? null : discountWith({ ...reductionOf(code), excludesReduced });
    const items = lines.map(({ product: { id: productId }, ...line }) => ({ productId, ...line }));
    const reducedIds = isReduced(product, running, day(0)) ? [product.id] : [];
    expect(major(netOf(withCode(items, discount, reducedIds)))).toBe(paid);
  },
);

it.each(table(PAGE, 'prior'))('shows after "%s" the sale of %s as %s instead of %s', (past, sale, price, prior) => {
  const [, newPrice, changed] = /^price ([\d.]+) from (\d+)$/.exec(past) ?? [];
  const [, earlier, from, until] = /^sale (.*) from (\d+) to (\d+)$/.exec(past) ?? [];
  const changes =
    newPrice === undefined
      ? [changeWith({ from: day(0) })]
      : [
          changeWith({ from: day(0), until: day(Number(changed)) }),
          changeWith({ from: day(Number(changed)), until: NO_END, listMinor: minor(newPrice) }),
        ];
  const sales = [saleWith({ ...reductionOf(sale), startsAt: day(100) })];
  if (earlier !== undefined) {
    sales.push(saleWith({ id: 'a', ...reductionOf(earlier), startsAt: day(Number(from)), endsAt: day(Number(until)) }));
  }
  const product = soldWith({ id: 'vip', priceMinor: changes.at(-1)?.listMinor ?? 0 });
  expect(major(unitPrice(product, sales, day(100)).reduction?.priceMinor ?? null)).toBe(price);
  const prices = priorPrices({ changes, sales, since: day(-365) }, day(100));
  expect(major(priorPriceAt(prices, day(100)))).toBe(prior);
});

it.each(table(PAGE, 'upgrades'))(
  'credits what was paid for a lower tier: %s, which costs %s now, with %s left, to %s with a sale of %s for %s',
  (paid, lower, left, upper, sale, price) => {
    const [vip, mvp] = [
      soldWith({ id: 'vip', priceMinor: minor(lower) }),
      soldWith({ id: 'mvp', priceMinor: minor(upper) }),
    ];
    const days = left === 'no end' ? null : Number(left.split(' ')[0]);
    const owned = {
      ...{ id: 'owned', productId: 'vip', countsAs: 'vip', quantity: 1, serverId: 's', state: 'active' as const },
      ...{ durationDays: days === null ? null : 30, startsAt: day(0), endsAt: days === null ? null : day(30) },
      ...{ buyerKey: 'steve', paidMinor: minor(paid), listMinor: minor(lower), upgrade: null },
    };
    const now = day(days === null ? 0 : 30 - days);
    const group = { id: 'ranks', name: 'Ranks', productIds: ['vip', 'mvp'] };
    const tier = { product: mvp, group, serverId: 's', extends: false };
    const standing = tierStanding(tier, [owned], new Map([vip, mvp].map((product) => [product.id, product])), now);
    if (standing.kind !== 'lower') throw new Error('The lower tier does not count');
    const upgrade = {
      entitlementIds: standing.entitlementIds,
      creditMinor: Math.min(standing.creditMinor, mvp.priceMinor),
    };
    const sales = sale === NONE ? [] : [saleWith({ ...reductionOf(sale), startsAt: day(0), endsAt: day(60) })];
    expect(major(priceBasket([{ product: mvp, quantity: 1, upgrade }], sales, now).subtotalMinor)).toBe(price);
  },
);
