import { Injectable } from '@nestjs/common';
import { orInvalid } from '../../../domain/errors/or-invalid.js';
import { type MinorUnits } from '../../../lib/money/money.js';
import { monthOf, readZone } from '../../../lib/time/local-time.js';
import { type BuyerSum } from '../rollups/buyer-sums.js';
import { SalesService } from '../rollups/sales.service.js';
import { type Interval } from '../rollups/sales.types.js';
import { figuresOf } from './comparison-rules.js';
import { currentPeriod } from './stats-periods.js';

/** The fields of a shop that its figures depend on. */
export interface MeasuredShop {
  readonly id: string;
  /** ISO 4217. */
  readonly currency: string;
  /** IANA name. */
  readonly timezone: string;
}

/** What a shop has earned in its running month. */
export interface MonthRevenue {
  /** The whole month, in the time zone of the shop. */
  readonly month: Interval;
  /** The net revenue of a comparison: it is negative when more was given back than paid. */
  readonly netMinor: MinorUnits;
}

/** Figures of a shop for other features. */
@Injectable()
export class ShopFiguresService {
  constructor(private readonly sales: SalesService) {}

  /** The net revenue of the running month, exact at this moment, at the cost of a comparison. */
  async revenueOfMonth({ id: shopId, currency, timezone }: MeasuredShop, now: Date): Promise<MonthRevenue> {
    const month = currentPeriod('month', orInvalid(readZone(timezone)), now);
    // The whole month: it begins and ends with a cell, so no entries of the ledger are read for its ends.
    const [windows, buckets] = [{ month }, { month: [month] }];
    const sales = await this.sales.salesOf({ shopId, currency, windows, buckets });
    return { month, netMinor: figuresOf(sales.month).netRevenue };
  }

  /** The buyers who paid most in the running month or in all time. See `SalesService.topBuyers`. */
  topBuyers(shop: MeasuredShop, period: 'month' | 'all', limit: number, now: Date): Promise<BuyerSum[]> {
    const { id: shopId, currency, timezone } = shop;
    const month = period === 'all' ? null : monthOf(now, orInvalid(readZone(timezone)));
    return this.sales.topBuyers(shopId, currency, month, limit);
  }
}
