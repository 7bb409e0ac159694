import { expect, it } from '@jest/globals';
import { SHOP } from '../../../../test/support/contexts.js';
import { type Call, recording } from '../../../../test/support/fakes.js';
import { shopWith } from '../../../../test/support/shops.js';
import { NO_SALES } from '../rollups/sale-sums.js';
import { type SalesService } from '../rollups/sales.service.js';
import { type Sales, type SalesQuery } from '../rollups/sales.types.js';
import { TodayService } from './today.service.js';

/** Sunday in Berlin, at 14:30. The clocks there went back at 3:00, so the day before was in summer time. */
const NOW = new Date('2026-10-25T13:30:00.000Z');
const WINDOWS = {
  today: { from: new Date('2026-10-24T22:00:00.000Z'), to: NOW },
  dayBefore: { from: new Date('2026-10-23T22:00:00.000Z'), to: new Date('2026-10-24T12:30:00.000Z') },
  weekBefore: { from: new Date('2026-10-17T22:00:00.000Z'), to: new Date('2026-10-18T12:30:00.000Z') },
};

it('compares today with the same hours of the clock of the day before and of a week ago, in one read', async () => {
  const calls: Call[] = [];
  const service = new TodayService(
    recording<SalesService>(calls, {
      salesOf: <Window extends string>({ windows }: SalesQuery<Window>) => {
        const sales = Object.keys(windows).map((name, index): [string, Sales] => {
          return [name, { buckets: [{ ...NO_SALES, orders: index + 1 }], uniqueBuyers: 0 }];
        });
        return Promise.resolve(Object.fromEntries(sales) as Record<Window, Sales>);
      },
    }),
  );
  const { sections } = await service.read(shopWith(), NOW);
  const { today, dayBefore, weekBefore } = WINDOWS;
  const buckets = { today: [today], dayBefore: [dayBefore], weekBefore: [weekBefore] };
  expect(calls).toEqual([['salesOf', { shopId: SHOP, currency: 'EUR', windows: WINDOWS, buckets }]]);
  expect(sections?.today).toMatchObject({
    today: { ...today, figures: { orders: 1 } },
    dayBefore: { ...dayBefore, figures: { orders: 2 } },
    weekBefore: { ...weekBefore, figures: { orders: 3 } },
  });
});
