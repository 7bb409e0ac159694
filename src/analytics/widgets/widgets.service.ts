import { Injectable } from '@nestjs/common';
import { BansService } from '../../orders/bans/bans.service.js';
import { type Purchase } from '../../orders/order/purchase.types.js';
import { PurchasesService } from '../../orders/order/purchases.service.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type Shop, type Widget } from '../../shops/shops/shop.types.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { ShopFiguresService } from '../stats/reports/shop-figures.service.js';
import { type GoalProgress, type TopBuyer, type TopBuyersRequest } from './widget.types.js';

/** How many orders are read for each purchase to show: some were given back, or are of banned buyers. */
const READ_FOR_EACH = 5;
/** How many more buyers are read than shown: some are banned. */
const SPARE_BUYERS = 10;

/** What everybody may see of the sales of a shop whose owner has switched it on. */
@Injectable()
export class WidgetsService {
  constructor(
    private readonly shops: ShopsService,
    private readonly purchases: PurchasesService,
    private readonly figures: ShopFiguresService,
    private readonly bans: BansService,
  ) {}

  /**
   * The latest purchases, newest first. There are fewer than `limit` when most of the latest orders were given back.
   * @throws AppError shop_not_found, widget_off
   */
  async recentPurchases(shopId: string, limit: number): Promise<Purchase[]> {
    await this.showing(shopId, 'recent_purchases');
    const purchases = await this.purchases.latest(shopId, limit * READ_FOR_EACH);
    return (await this.bans.withoutBanned(shopId, purchases, new Date())).slice(0, limit);
  }

  /**
   * The buyers who paid most, in descending order, without what they got back. The list is some seconds behind the sales.
   * @throws AppError shop_not_found, widget_off
   */
  async topBuyers(shopId: string, { period, limit }: TopBuyersRequest): Promise<TopBuyer[]> {
    const shop = await this.showing(shopId, 'top_buyers');
    const now = new Date();
    const sums = await this.figures.topBuyers(shop, period, limit + SPARE_BUYERS, now);
    const keys = sums.map(({ buyerKey }) => buyerKey);
    const players = await this.bans.withoutBanned(shopId, await this.purchases.playersOf(shopId, keys), now);
    return players.slice(0, limit).map(({ nickname }, index) => ({ rank: index + 1, nickname }));
  }

  /**
   * The goal of the running month, exact at this moment.
   * @throws AppError shop_not_found, widget_off, also for a shop without a goal
   */
  async goal(shopId: string): Promise<GoalProgress> {
    const shop = await this.showing(shopId, 'monthly_goal');
    const { monthlyGoalMinor: targetMinor, currency } = shop;
    if (targetMinor === null) throw new AppError('widget_off');
    return { ...(await this.figures.revenueOfMonth(shop, new Date())), targetMinor, currency };
  }

  private async showing(shopId: string, widget: Widget): Promise<Shop> {
    const shop = await this.shops.publicSettingsOf(shopId);
    if (!shop.widgets.includes(widget)) throw new AppError('widget_off');
    return shop;
  }
}
