import { Injectable } from '@nestjs/common';
import { type ShopContext } from '../common/auth/auth-context.js';
import { orInvalid } from '../common/errors/or-invalid.js';
import { requireValid } from '../common/errors/require-valid.js';
import { ProductsService } from '../products/products.service.js';
import { ServersService } from '../servers/servers.service.js';
import { ShopsService } from '../shops/shops.service.js';
import { comparedFigures, figuresOf } from './comparison-rules.js';
import { SalesService } from './sales.service.js';
import { type Granularity } from './stats-buckets.js';
import { comparePeriods } from './stats-periods.js';
import { granularityProblems, type PeriodQuery, readPeriods, readZone } from './stats-query.js';
import { partsOf, planSeries, seriesOf } from './stats-series.js';
import { type PeriodComparison } from './stats.types.js';

export interface ComparisonRequest extends PeriodQuery {
  /** IANA name; the shop's own when absent. */
  readonly timezone?: string | undefined;
  readonly granularity: Granularity;
  readonly serverId?: string | undefined;
  readonly productId?: string | undefined;
}

/** The statistics of a shop. */
@Injectable()
export class StatsService {
  constructor(
    private readonly shops: ShopsService,
    private readonly servers: ServersService,
    private readonly products: ProductsService,
    private readonly sales: SalesService,
  ) {}

  /**
   * Compares a period of a shop with an earlier one. Needs four database commands: the shop's settings, then three sums in
   * parallel. A filter by server or product needs one more, in parallel with the settings.
   * @throws AppError validation_failed, server_not_found, product_not_found. The last two also for a server or product of
   * another shop: a statistic with nothing in it would look like a result
   */
  async compare({ shopId }: ShopContext, request: ComparisonRequest): Promise<PeriodComparison> {
    const { serverId, productId, granularity } = request;
    const [settings] = await Promise.all([
      this.shops.settingsOf(shopId),
      serverId === undefined ? undefined : this.servers.requireKnown(shopId, serverId),
      productId === undefined ? undefined : this.products.requireKnown(shopId, productId),
    ]);
    const now = new Date();
    const { currency } = settings;
    const timezone = request.timezone ?? settings.timezone;
    const zone = orInvalid(readZone(timezone));
    const { chosen, comparison } = orInvalid(readPeriods(request, zone, now));
    const periods = comparePeriods(chosen, comparison, zone, now);
    requireValid(granularityProblems(granularity, periods));
    const plan = planSeries(granularity, periods, zone);
    const { current, previous } = await this.sales.salesOf({
      shopId,
      currency,
      windows: { current: periods.elapsed, previous: periods.previous },
      parts: partsOf(plan, periods),
      slots: plan?.slots ?? null,
      serverId,
      productId,
    });
    return {
      periods,
      timezone,
      currency,
      metrics: comparedFigures(figuresOf(current), figuresOf(previous)),
      series: plan === null ? [] : seriesOf(plan, current.slots, previous.slots),
      generatedAt: now,
    };
  }
}
