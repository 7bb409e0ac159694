import { describe, expect, it } from '@jest/globals';
import { SHOP } from '../../../test/support/contexts.js';
import { recording, TRANSACTION } from '../../../test/support/fakes.js';
import { changeWith, saleWith } from '../../../test/support/prices.js';
import { soldWith } from '../../../test/support/snapshots.js';
import { DAY_MS } from '../../lib/time/durations.js';
import { type SalesService } from '../sales/sales.service.js';
import { type PriceChangesRepository } from './price-changes.repository.js';
import { PriorPricesService } from './prior-prices.service.js';

const ago = (days: number): Date => new Date(Date.now() - days * DAY_MS);
const SALE = saleWith({ startsAt: ago(1) });
const PRODUCTS = ['a', 'b', 'c'].map((id) => soldWith({ id }));
const CHANGES = PRODUCTS.map(({ id, priceMinor: listMinor }) =>
  changeWith({ id, productId: id, from: ago(100), listMinor }),
);

const service = (changes = CHANGES, sales = [SALE]): PriorPricesService =>
  new PriorPricesService(
    recording<PriceChangesRepository>([], { listSince: () => Promise.resolve(changes) }),
    recording<SalesService>([], { appliedSince: () => Promise.resolve(sales) }),
  );
const read = (of: PriorPricesService) => of.of(SHOP, { products: PRODUCTS, sales: [SALE] }, TRANSACTION);

describe('The prices before reductions', () => {
  it('are found for each product, and let other requests go on after each', async () => {
    let turns = 0;
    const count = (): void => void (turns++, (waiting = setImmediate(count)));
    let waiting = setImmediate(count);
    const found = await read(service());
    clearImmediate(waiting);
    expect([...found].map(([id, prices]) => [id, prices[0]?.priceMinor])).toEqual([
      ['a', 999],
      ['b', 999],
      ['c', 999],
    ]);
    expect(turns).toBeGreaterThanOrEqual(PRODUCTS.length - 1);
  });

  it('are unknown in a shop with 5,000 prices or 1,000 sales in that time', async () => {
    const before = changeWith({ productId: 'other', from: ago(100), until: ago(99) });
    const many = Array.from({ length: 5_000 - CHANGES.length }, () => before);
    expect((await read(service([...many.slice(1), ...CHANGES]))).size).toBe(3);
    expect((await read(service([...many, ...CHANGES]))).size).toBe(0);
    expect(
      (
        await read(
          service(
            CHANGES,
            Array.from({ length: 1_000 }, () => SALE),
          ),
        )
      ).size,
    ).toBe(0);
  });
});
