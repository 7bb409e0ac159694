import { Injectable } from '@nestjs/common';
import { orInvalid } from '../../platform/errors/or-invalid.js';
import { type MinorUnits } from '../../platform/money/money.js';
import { Transactions } from '../../platform/database/transactions.js';
import { type BuyerSum } from './buyer-sums.js';
import { BuyerSumsRepository } from './buyer-sums.repository.js';
import { figuresOf } from './comparison-rules.js';
import { monthOf } from './local-time.js';
import { RollupsService } from './rollups.service.js';
import { SalesService } from './sales.service.js';
import { type Interval } from '../../orders/ledger/sales.types.js';
import { currentPeriod } from './stats-periods.js';
import { readZone } from './stats-query.js';

/** The shop whose figures are asked for. */
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
  constructor(
    private readonly sales: SalesService,
    private readonly sums: BuyerSumsRepository,
    private readonly rollups: RollupsService,
    private readonly transactions: Transactions,
  ) {}

  /** The net revenue of the running month, exact at this moment, at the cost of a comparison. */
  async revenueOfMonth({ id: shopId, currency, timezone }: MeasuredShop, now: Date): Promise<MonthRevenue> {
    const month = currentPeriod('month', orInvalid(readZone(timezone)), now);
    // The whole month: it begins and ends with a cell, so no entries of the ledger are read for its ends.
    const windows = { current: month, previous: month };
    const parts = { current: [month], previous: [month] };
    const { current } = await this.sales.salesOf({ shopId, currency, windows, parts, slots: null });
    return { month, netMinor: figuresOf(current).netRevenue };
  }

  /**
   * The buyers who paid most, the first one most, by what is folded: some seconds behind the sales. Empty until the sums of a
   * shop are complete, because some of them would be in a wrong order.
   */
  topBuyers(shop: MeasuredShop, period: 'month' | 'all', limit: number, now: Date): Promise<BuyerSum[]> {
    const { id: shopId, currency, timezone } = shop;
    const month = period === 'all' ? null : monthOf(now, orInvalid(readZone(timezone)));
    return this.transactions.run(async (transaction) => {
      const areReady = await this.rollups.areReady(shopId, transaction);
      return areReady ? this.sums.top(shopId, currency, month, limit, transaction) : [];
    });
  }
}
