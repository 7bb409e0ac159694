import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { WidgetsService } from '../../analytics/widgets/widgets.service.js';
import { type GoalProgress, type TopBuyer } from '../../analytics/widgets/widget.types.js';
import { ServersService } from '../../catalogue/servers/servers.service.js';
import { type ListedServer } from '../../catalogue/servers/servers.service.js';
import { AppError } from '../../domain/errors/app-error.js';
import { describeError } from '../../infrastructure/logging/logger.js';
import { MINUTE_MS, SECOND_MS } from '../../lib/time/durations.js';
import { type Purchase } from '../../orders/order/purchase.types.js';
import { shownWidgets } from '../../shops/shops/shop-rules.js';
import { type Shop, type Widget } from '../../shops/shops/shop.types.js';

const MAX_SERVERS = 20;
const PURCHASES = 5;
const TOP_BUYERS = 3;
const MAX_SHOPS = 1_000;
/** As long as caches keep the same responses of the API (`max-age`). */
const SALES_MS = MINUTE_MS;
const SERVERS_MS = 10 * SECOND_MS;
const PATIENCE_MS = SECOND_MS;
const NO_SALES: SalesPanels = { purchases: null, buyers: null, goal: null };

/** What the start page shows of the sales of a shop; null: its owner does not show it. */
export interface SalesPanels {
  readonly purchases: readonly Purchase[] | null;
  readonly buyers: readonly TopBuyer[] | null;
  readonly goal: GoalProgress | null;
}

/**
 * What the start pages of all shops read besides the catalogue: the same services as the API, and no more often than a cache in front of it
 * would, however many visitors there are.
 */
@Injectable()
export class StartPanelsService {
  private readonly logger = new Logger('Storefront');
  private readonly sales = new LRUCache<string, Promise<SalesPanels>>({ max: MAX_SHOPS, ttl: SALES_MS });
  private readonly status = new LRUCache<string, Promise<readonly ListedServer[]>>({
    max: MAX_SHOPS,
    ttl: SERVERS_MS,
  });

  constructor(
    private readonly widgets: WidgetsService,
    private readonly servers: ServersService,
  ) {}

  /** The servers that everybody may see. @throws AppError shop_not_found */
  serversOf(shopId: string): Promise<readonly ListedServer[]> {
    return remembered(this.status, shopId, async () => {
      return (await this.servers.publicList(shopId, { after: null, limit: MAX_SERVERS })).items;
    });
  }

  /** A page does not wait long for them: it shows without them what the shop sells, and the next one has them. */
  salesOf(shop: Shop): Promise<SalesPanels> {
    const shown = shownWidgets(shop);
    // Another choice of the owner counts at once.
    const reading = remembered(this.sales, `${shop.id} ${shown.join()}`, () => this.readSales(shop.id, shown));
    return Promise.race([reading, pause(PATIENCE_MS, NO_SALES, { ref: false })]);
  }

  private async readSales(shopId: string, shown: readonly Widget[]): Promise<SalesPanels> {
    const unless = <Result>(widget: Widget, read: () => Promise<Result>): Promise<Result | null> =>
      shown.includes(widget) ? this.orNothing(read()) : Promise.resolve(null);
    const [purchases, buyers, goal] = await Promise.all([
      unless('recent_purchases', () => this.widgets.recentPurchases(shopId, PURCHASES)),
      unless('top_buyers', () => this.widgets.topBuyers(shopId, { period: 'month', limit: TOP_BUYERS })),
      unless('monthly_goal', () => this.widgets.goal(shopId)),
    ]);
    return { purchases, buyers, goal };
  }

  /** A part that cannot be read is left out: the visitor came for the rest. */
  private async orNothing<Result>(read: Promise<Result>): Promise<Result | null> {
    try {
      return await read;
    } catch (error) {
      // The owner can hide a widget between two reads.
      const isHidden = error instanceof AppError && error.code === 'widget_off';
      if (!isHidden) this.logger.warn('A part of a start page cannot be read', describeError(error));
      return null;
    }
  }
}

/** Reads once for all who ask at the same time; a failure is not kept. */
function remembered<Value extends object>(
  kept: LRUCache<string, Promise<Value>>,
  key: string,
  read: () => Promise<Value>,
): Promise<Value> {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const reading = read();
  kept.set(key, reading);
  reading.catch(() => kept.delete(key));
  return reading;
}
