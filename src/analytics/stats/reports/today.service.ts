import { Injectable } from '@nestjs/common';
import { orInvalid } from '../../../domain/errors/or-invalid.js';
import { DAY_MS } from '../../../lib/time/durations.js';
import { instantOf, midnightOf, readZone, wallTimeAt } from '../../../lib/time/local-time.js';
import { type Shop } from '../../../shops/shops/shop.types.js';
import { type Contribution, type OverviewSections } from '../../../shops/overview/overview.types.js';
import { SalesService } from '../rollups/sales.service.js';
import { type Interval } from '../rollups/sales.types.js';
import { figuresOf } from './comparison-rules.js';

/** The hours of a local day until the time that the clock shows now. @param days how many days before today */
function sameHours({ timezone }: Pick<Shop, 'timezone'>, now: Date, days: number): Interval {
  const zone = orInvalid(readZone(timezone));
  const wall = wallTimeAt(now.getTime(), zone) - days * DAY_MS;
  const to = days === 0 ? now : new Date(instantOf(wall, zone));
  return { from: new Date(instantOf(midnightOf(wall), zone)), to };
}

/** Today in the sales of a shop, for its overview. */
@Injectable()
export class TodayService {
  constructor(private readonly sales: SalesService) {}

  /** Today until now, and the same hours of the day before and of a week ago, at the cost of a comparison. */
  async read(shop: Shop, now: Date): Promise<Contribution> {
    const windows = {
      today: sameHours(shop, now, 0),
      dayBefore: sameHours(shop, now, 1),
      weekBefore: sameHours(shop, now, 7),
    };
    const { today, dayBefore, weekBefore } = windows;
    const buckets = { today: [today], dayBefore: [dayBefore], weekBefore: [weekBefore] };
    const sales = await this.sales.salesOf({ shopId: shop.id, currency: shop.currency, windows, buckets });
    const dayOf = (name: keyof OverviewSections['today']): OverviewSections['today']['today'] => {
      return { ...windows[name], figures: figuresOf(sales[name]) };
    };
    const days = { today: dayOf('today'), dayBefore: dayOf('dayBefore'), weekBefore: dayOf('weekBefore') };
    return { sections: { today: days } };
  }
}
