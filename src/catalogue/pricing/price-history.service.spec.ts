import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP, shopContext } from '../../../test/support/contexts.js';
import { recording, TRANSACTION } from '../../../test/support/fakes.js';
import { changeWith, saleWith } from '../../../test/support/prices.js';
import { productWith } from '../../../test/support/products.js';
import { shopWith } from '../../../test/support/shops.js';
import { snapshotsOf, snapshotWith, soldWith } from '../../../test/support/snapshots.js';
import { DAY_MS } from '../../lib/time/durations.js';
import { type ShopsService } from '../../shops/shops/shops.service.js';
import { type SalesService } from '../sales/sales.service.js';
import { type SoldSale } from '../sales/sale.types.js';
import { NO_END, type PriceChange } from './price-change.types.js';
import { type PriceChangesRepository } from './price-changes.repository.js';
import { PriceHistoryService } from './price-history.service.js';

const VIP = productWith();
const inForce = (fields: Partial<PriceChange> = {}): PriceChange =>
  changeWith({ productId: VIP.id, listMinor: VIP.priceMinor, ...fields });
const isOpen = ({ until }: PriceChange): boolean => until.getTime() === NO_END.getTime();

let stored: PriceChange[];
let sales: SoldSale[];
let service: PriceHistoryService;

beforeEach(() => {
  [stored, sales] = [[], []];
  service = new PriceHistoryService(
    recording<PriceChangesRepository>([], {
      insert: (changes) =>
        Promise.resolve(void stored.push(...changes.map((change) => ({ ...change, id: String(stored.length) })))),
      inForce: (_, wanted) =>
        Promise.resolve(
          stored.filter(
            (change) =>
              isOpen(change) &&
              ('categoryId' in wanted
                ? change.categoryId === wanted.categoryId
                : wanted.productIds.includes(change.productId)),
          ),
        ),
      end: (_, ids, until) =>
        Promise.resolve(
          void (stored = stored.map((change) => (ids.includes(change.id) ? { ...change, until } : change))),
        ),
      listSince: (_, productId, since) =>
        Promise.resolve(stored.filter((change) => change.productId === productId && change.until > since)),
    }),
    recording<SalesService>([], { appliedSince: () => Promise.resolve(sales) }),
    recording<ShopsService>([], { settingsOf: () => Promise.resolve(shopWith()) }),
    snapshotsOf(() => snapshotWith({ products: [soldWith(VIP)] })),
  );
});

describe('The price history', () => {
  it('records the first price of a new product, whose past is known', async () => {
    await service.begin(VIP, TRANSACTION);
    const price = { listMinor: 999, compareAtMinor: null, categoryId: null };
    const expected = { shopId: SHOP, productId: VIP.id, until: NO_END, ...price, hasUnknownPast: false };
    expect(stored).toEqual([{ id: '0', from: expect.any(Date), ...expected }]);
  });

  it.each([{ priceMinor: 500 }, { compareAtPriceMinor: 2_000 }, { categoryId: 'ranks' }])(
    'records %j as the end of one price and the beginning of the next',
    async (fields) => {
      stored = [inForce()];
      await service.change(VIP, { ...VIP, ...fields }, TRANSACTION);
      const [before, after] = stored;
      expect(before?.until).toEqual(after?.from);
      const { priceMinor, compareAtPriceMinor, categoryId } = { ...VIP, ...fields };
      expect(after).toMatchObject({ listMinor: priceMinor, compareAtMinor: compareAtPriceMinor, categoryId });
      expect(after).toMatchObject({ until: NO_END, hasUnknownPast: false });
    },
  );

  it('records nothing for a change of something else', async () => {
    stored = [inForce()];
    await service.change(VIP, { ...VIP, name: 'MVP' } as typeof VIP, TRANSACTION);
    expect(stored).toEqual([inForce()]);
  });

  it('keeps two changes in one millisecond apart, also when the clock is behind the last change', async () => {
    const later = new Date(Date.now() + DAY_MS);
    stored = [inForce({ from: later })];
    await service.change(VIP, { ...VIP, priceMinor: 1 }, TRANSACTION);
    expect(stored.map(({ until }) => until)).toEqual([new Date(later.getTime() + 1), NO_END]);
  });

  it.each<[string, PriceChange[]]>([
    ['no price is recorded', []],
    ['another price is recorded than the product had', [inForce({ listMinor: 1 })]],
  ])('knows no past when %s', async (_, before) => {
    stored = before;
    await service.change(VIP, { ...VIP, priceMinor: 1_500 }, TRANSACTION);
    expect(stored.at(-1)).toMatchObject({ listMinor: 1_500, hasUnknownPast: true });
  });

  it('records that products leave a deleted category, each with its price', async () => {
    const other = inForce({ id: 'b', productId: 'b', listMinor: 5, categoryId: 'ranks' });
    stored = [inForce({ categoryId: 'ranks' }), other, inForce({ id: 'c', productId: 'c', categoryId: 'crates' })];
    await service.leaveCategory(SHOP, 'ranks', TRANSACTION);
    expect(
      stored.filter(isOpen).map(({ productId, listMinor, categoryId }) => [productId, listMinor, categoryId]),
    ).toEqual([
      ['c', 999, 'crates'],
      [VIP.id, 999, null],
      ['b', 5, null],
    ]);
  });

  it('ends with the product', async () => {
    stored = [inForce()];
    await service.stop(SHOP, VIP.id, TRANSACTION);
    expect(stored.filter(isOpen)).toEqual([]);
  });

  it('lists the last 90 days up to the price of now, sales included', async () => {
    const now = Date.now();
    const ago = (days: number): Date => new Date(now - days * DAY_MS);
    stored = [
      inForce({ id: 'old', from: ago(200), until: ago(91), listMinor: 1 }),
      inForce({ from: ago(91), until: ago(10) }),
      inForce({ from: ago(10), listMinor: 2_000 }),
    ];
    sales = [saleWith({ startsAt: ago(-5) }), saleWith({ id: 'past', startsAt: ago(4), endsAt: ago(3) })];
    const { prices, currency } = await service.of(shopContext(), VIP.id);
    expect(currency).toBe('EUR');
    expect(prices.map(({ priceMinor, saleId }) => [priceMinor, saleId])).toEqual([
      [999, null],
      [2_000, null],
      [1_500, 'past'],
      [2_000, null],
    ]);
    expect(Math.round((Date.now() - (prices[0]?.from.getTime() ?? 0)) / DAY_MS)).toBe(90);
    expect(prices.at(-1)?.until).toEqual(ago(-5));
  });

  it('exists only for a product that the shop has', async () => {
    await expect(service.of(shopContext(), '655f1c2ab1e4a9d3f0c81299')).rejects.toMatchObject({
      code: 'product_not_found',
    });
  });
});
