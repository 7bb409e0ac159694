import { describe, expect, it } from '@jest/globals';
import { NO_SALES } from '../rollups/sale-sums.js';
import { additiveFigures } from './comparison-rules.js';
import { toStatsCsv } from './stats-csv.js';
import { type SeriesPoint } from './stats.types.js';

const HEAD =
  'from,to,currency,grossRevenue,refunds,chargebacks,netRevenue,orders,paidOrders,newBuyers,discountTotal,itemsSold,' +
  'fromLocal,toLocal,day\r\n';
const DAY = { from: new Date('2026-11-20T23:00:00.000Z'), to: new Date('2026-11-21T23:00:00.000Z') };

const timezone = 'Europe/Berlin';

const point = (fields: Partial<SeriesPoint>): SeriesPoint => ({
  ...{ bucket: DAY, current: additiveFigures(NO_SALES), previousBucket: null, previous: null },
  ...fields,
});

describe('toStatsCsv', () => {
  it('writes a line for each bucket of the period, with every decimal of the currency', () => {
    const sums = { ...NO_SALES, grossMinor: 1_950, refundsMinor: 2_000, chargebacksMinor: 5, discountMinor: 100 };
    const counts = { orders: 4, paidOrders: 3, newBuyers: 2, itemsSold: 7 };
    const current = additiveFigures({ ...sums, ...counts });
    const line = '2026-11-20T23:00:00.000Z,2026-11-21T23:00:00.000Z';
    const local = '2026-11-21 00:00,2026-11-22 00:00,2026-11-21';
    expect(toStatsCsv({ timezone, currency: 'EUR', series: [point({ current }), point({})] })).toBe(
      `${HEAD}${line},EUR,19.50,20.00,0.05,-0.55,4,3,2,1.00,7,${local}\r\n${line},EUR,0.00,0.00,0.00,0.00,0,0,0,0.00,0,${local}\r\n`,
    );
    expect(toStatsCsv({ timezone, currency: 'JPY', series: [point({ current })] })).toBe(
      `${HEAD}${line},JPY,1950,2000,5,-55,4,3,2,100,7,${local}\r\n`,
    );
    expect(toStatsCsv({ timezone, currency: 'EUR', series: [point({ current })] }, 'semicolon')).toContain(
      ';EUR;19,50;20,00;0,05;-0,55;4;3;2;1,00;7;2026-11-21 00:00;',
    );
  });

  it('leaves out buckets that only the earlier period has', () => {
    expect(toStatsCsv({ timezone, currency: 'EUR', series: [point({ bucket: null, current: null })] })).toBe(HEAD);
  });
});
