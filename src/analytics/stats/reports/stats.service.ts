import { Injectable } from '@nestjs/common';
import { type IANAZone } from 'luxon';
import { ProductsService } from '../../../catalogue/products/products.service.js';
import { ServersService } from '../../../catalogue/servers/servers.service.js';
import { orInvalid } from '../../../domain/errors/or-invalid.js';
import { requireValid } from '../../../domain/errors/require-valid.js';
import { type ShopContext } from '../../../domain/principal/auth-context.js';
import { ShopsService } from '../../../shops/shops/shops.service.js';
import { readZone } from '../../../lib/time/local-time.js';
import { type Breakdown, type PartSums } from '../rollups/breakdown-rules.js';
import { SalesService } from '../rollups/sales.service.js';
import { additiveFigures, comparedFigures, figuresOf } from './comparison-rules.js';
import { type Granularity } from './stats-buckets.js';
import { type ComparedPeriods, comparePeriods } from './stats-periods.js';
import { granularityProblems, type PeriodQuery, readPeriods } from './stats-query.js';
import { planSeries, seriesOf, summedBuckets } from './stats-series.js';
import { type BreakdownRow, type PeriodBreakdown, type PeriodComparison } from './stats.types.js';

export interface ComparisonRequest extends PeriodQuery {
  /** IANA name; the shop's own when absent. */
  readonly timezone?: string | undefined;
  readonly granularity: Granularity;
  readonly serverId?: string | undefined;
  readonly productId?: string | undefined;
}

export interface BreakdownRequest extends Pick<PeriodQuery, 'period' | 'from' | 'to'> {
  /** IANA name; the shop's own when absent. */
  readonly timezone?: string | undefined;
  readonly by: Breakdown;
  /** How many rows to return. */
  readonly limit: number;
}

/** Reads the periods of a request in its time zone, or else in the shop's. @throws AppError validation_failed */
function periodsOf(
  request: PeriodQuery & { readonly timezone?: string | undefined },
  shop: { readonly timezone: string },
  now: Date,
): { readonly timezone: string; readonly zone: IANAZone; readonly periods: ComparedPeriods } {
  const timezone = request.timezone ?? shop.timezone;
  const zone = orInvalid(readZone(timezone));
  const { chosen, comparison } = orInvalid(readPeriods(request, zone, now));
  return { timezone, zone, periods: comparePeriods(chosen, comparison, zone, now) };
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
   * Compares a period of a shop with an earlier one. Reads the shop's settings, and then the sales (`SalesService`). A filter by
   * server or product needs one more database command, in parallel with the settings.
   * @throws AppError validation_failed, server_not_found, product_not_found. The last two also for a server or product of
   * another shop: an empty statistic would look like a result
   */
  async compare({ shopId }: ShopContext, request: ComparisonRequest): Promise<PeriodComparison> {
    const { serverId, productId, granularity } = request;
    const [settings] = await Promise.all([
      this.shops.settingsOf(shopId),
      serverId === undefined ? undefined : this.servers.requireKnown(shopId, serverId),
      productId === undefined ? undefined : this.products.requireKnown(shopId, productId),
    ]);
    const { currency } = settings;
    const now = new Date();
    const { timezone, zone, periods } = periodsOf(request, settings, now);
    requireValid(granularityProblems(granularity, periods));
    const plan = planSeries(granularity, periods, zone);
    const { current, previous } = await this.sales.salesOf({
      shopId,
      currency,
      windows: { current: periods.elapsed, previous: periods.previous },
      buckets: summedBuckets(plan, periods),
      serverId,
      productId,
    });
    return {
      periods,
      timezone,
      currency,
      metrics: comparedFigures(figuresOf(current), figuresOf(previous)),
      series: plan === null ? [] : seriesOf(plan, { current: current.buckets, previous: previous.buckets }),
      generatedAt: now,
    };
  }

  /** Splits the sales of a period by product, server, payment method or code. @throws AppError validation_failed */
  async breakDown({ shopId }: ShopContext, request: BreakdownRequest): Promise<PeriodBreakdown> {
    const { by, limit } = request;
    const settings = await this.shops.settingsOf(shopId);
    const now = new Date();
    const { currency } = settings;
    const { timezone, periods } = periodsOf({ ...request, compare: 'previous_period' }, settings, now);
    const { period, elapsed, complete } = periods;
    const parts = await this.sales.partsOf({ shopId, currency, window: elapsed, by });
    const shown = parts.slice(0, limit);
    const names = await this.namesOf(shopId, by, shown);
    const rows = shown.map(({ key, sums }): BreakdownRow => {
      const { orders: _created, ...figures } = additiveFigures(sums);
      return { key, name: names.get(key) ?? null, ...figures };
    });
    return { by, period, complete, timezone, currency, total: parts.length, rows, generatedAt: now };
  }

  private async namesOf(
    shopId: string,
    by: Breakdown,
    parts: readonly PartSums[],
  ): Promise<ReadonlyMap<string | null, string>> {
    const keys = parts.flatMap(({ key }) => (key === null ? [] : [key]));
    if (by === 'product') return this.products.namesOf(shopId, keys);
    return by === 'server' ? this.servers.namesOf(shopId, keys) : new Map();
  }
}
