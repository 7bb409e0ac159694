import { Injectable } from '@nestjs/common';
import { orInvalid } from '../../../domain/errors/or-invalid.js';
import { DAY_MS } from '../../../lib/time/durations.js';
import { instantOf, midnightOf, readZone, wallTimeAt } from '../../../lib/time/local-time.js';
import { type Shop } from '../../../shops/shops/shop.types.js';
import { type Contribution, type OverviewSections } from '../../../shops/overview/overview.types.js';
import { SalesService } from '../rollups/sales.service.js';
import { type Interval, type Sales } from '../rollups/sales.types.js';
import { figuresOf } from './comparison-rules.js';

/** The hours of a local day until the time that the clock shows now. @param days how many days before today */
function sameHours({ timezone }: Pick<Shop, 'timezone'>, now: Date, days: number): Interval {
  const zone = orInvalid(readZone(timezone));
  const wall = wallTimeAt(now.getTime(), zone) - days * DAY_MS;
  const to = days === 0 ? now : new Date(instantOf(wall, zone));
  return { from: new Date(instantOf(midnightOf(wall), zone)), to };
}

const dayOf = (hours: Interval, sales: Sales): OverviewSections['today']['today'] => ({
  ...hours,
  figures: figuresOf(sales),
});

/** Today in the sales of a shop, for its overview. */
@Injectable()
export class TodayService {
  constructor(private readonly sales: SalesService) {}

  /** Today until now, and the same hours of the day before and of a week ago, at the cost of two comparisons. */
  async read(shop: Shop, now: Date): Promise<Contribution> {
    const today = sameHours(shop, now, 0);
    const dayBefore = sameHours(shop, now, 1);
    const weekBefore = sameHours(shop, now, 7);
    const salesIn = (current: Interval, previous: Interval): ReturnType<SalesService['salesOf']> =>
      this.sales.salesOf({
        shopId: shop.id,
        currency: shop.currency,
        windows: { current, previous },
        buckets: { current: [current], previous: [previous] },
      });
    const [near, far] = await Promise.all([salesIn(today, dayBefore), salesIn(weekBefore, weekBefore)]);
    return {
      sections: {
        today: {
          today: dayOf(today, near.current),
          dayBefore: dayOf(dayBefore, near.previous),
          weekBefore: dayOf(weekBefore, far.current),
        },
      },
    };
  }
}
