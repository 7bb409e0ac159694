import { Injectable } from '@nestjs/common';
import { BansService } from '../bans/bans.service.js';
import { type BuyerKeys } from '../../platform/buyers/buyer-keys.js';
import { ERROR_CATALOGUE } from '../../platform/errors/error-catalogue.js';
import { type MinorUnits } from '../../platform/money/money.js';
import { DAY_MS } from '../../platform/time/durations.js';
import { type Transaction } from '../../platform/database/transactions.js';
import { QuotasService } from '../../platform/quotas/quotas.service.js';
import { OpenOrderPlacesService } from './open-order-places.service.js';
import { type OrderProblem } from '../order/order-problem.js';
import { type OpenOrderPlace } from '../order/order.types.js';
import { OrdersRepository } from '../order/orders.repository.js';

/** An order that a buyer wants to place. */
export interface Wish {
  /** null when the buyer is not known: then nothing is checked. */
  readonly buyer: BuyerKeys | null;
  /** The address of the buyer; null: unknown, because a storefront's server sent the order. */
  readonly address: string | null;
  readonly totalMinor: MinorUnits;
  readonly createdAt: Date;
}

/** The places of an order, and why its buyer may not order. */
export interface BuyerCheck {
  readonly places: readonly OpenOrderPlace[];
  readonly problems: readonly OrderProblem[];
}

const BANNED: OrderProblem = { code: 'buyer_banned', message: ERROR_CATALOGUE.buyer_banned.message };

/** Whether a buyer may order: bans, open orders, and orders with nothing to pay. */
@Injectable()
export class BuyerChecksService {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly bans: BansService,
    private readonly places: OpenOrderPlacesService,
    private readonly quotas: QuotasService,
  ) {}

  /** @param transaction null: to look, without placing the order */
  async check(shopId: string, wish: Wish, transaction: Transaction | null): Promise<BuyerCheck> {
    const { buyer, address, totalMinor, createdAt } = wish;
    if (buyer === null) return { places: [], problems: [] };
    const ban = await this.bans.banOf(shopId, buyer, createdAt, transaction);
    if (ban !== null) return { places: [], problems: [BANNED] };
    if (totalMinor > 0) return this.places.choose(shopId, buyer, address, transaction);
    const since = new Date(createdAt.getTime() - DAY_MS);
    const count = (upTo: number): Promise<number> => this.orders.countFree(shopId, buyer, since, upTo, transaction);
    const reached = await this.quotas.reached('freeOrdersPerBuyer', count);
    return { places: [], problems: reached === null ? [] : [reached] };
  }
}
