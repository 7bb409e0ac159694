import { Injectable } from '@nestjs/common';
import { type IANAZone } from 'luxon';
import { type ShopContext } from '../common/auth/auth-context.js';
import { AppError } from '../common/errors/app-error.js';
import { SalesService } from '../orders/sales.service.js';
import { ProductsService } from '../products/products.service.js';
import { ServersService } from '../servers/servers.service.js';
import { ShopsService } from '../shops/shops.service.js';
import { comparedFigures, figuresOf } from './comparison-rules.js';
import { zoneOf } from './local-time.js';
import { type Granularity } from './stats-buckets.js';
import { type ComparedPeriods, comparePeriods } from './stats-periods.js';
import { granularityProblem, type PeriodQuery, readPeriods } from './stats-query.js';
import { planSeries, seriesOf } from './stats-series.js';
import { type PeriodComparison } from './stats.types.js';

export interface ComparisonRequest extends PeriodQuery {
  /** IANA name; the shop's own when absent. */
  readonly timezone?: string | undefined;
  readonly granularity: Granularity;
  readonly serverId?: string | undefined;
  readonly productId?: string | undefined;
}

const invalid = (...problems: readonly string[]): AppError =>
  new AppError('validation_failed', { message: problems.join('; ') });

/** Statistics of a shop. */
@Injectable()
export class StatsService {
  constructor(
    private readonly shops: ShopsService,
    private readonly servers: ServersService,
    private readonly products: ProductsService,
    private readonly sales: SalesService,
  ) {}

  /**
   * Compares a period of a shop with an earlier one. Costs four database commands: the shop's settings, then three sums
   * side by side; a server or a product to filter by costs one more each, beside the settings.
   * @throws AppError validation_failed, server_not_found, product_not_found (also for those of other shops: an empty
   * statistic would pass for an answer)
   */
  async compare({ shopId }: ShopContext, request: ComparisonRequest): Promise<PeriodComparison> {
    const { serverId, productId, granularity } = request;
    const [settings] = await Promise.all([
      this.shops.settingsOf(shopId),
      serverId === undefined ? undefined : this.servers.requireAll(shopId, [serverId]),
      productId === undefined ? undefined : this.products.requireAll(shopId, [productId]),
    ]);
    const now = new Date();
    const { currency } = settings;
    const timezone = request.timezone ?? settings.timezone;
    const zone = zoneOf(timezone);
    if (zone === null) throw invalid('timezone must be an IANA time zone such as Europe/Berlin');
    const periods = this.periodsOf(request, zone, now);
    const plan = planSeries(granularity, periods, zone);
    const { current, previous } = await this.sales.salesOf({
      shopId,
      currency,
      windows: { current: periods.elapsed, previous: periods.previous },
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

  private periodsOf(request: ComparisonRequest, zone: IANAZone, now: Date): ComparedPeriods {
    const choice = readPeriods(request, zone, now);
    if (!('chosen' in choice)) throw invalid(...choice);
    const periods = comparePeriods(choice.chosen, choice.comparison, zone, now);
    const problem = granularityProblem(request.granularity, periods);
    if (problem !== null) throw invalid(problem);
    return periods;
  }
}
