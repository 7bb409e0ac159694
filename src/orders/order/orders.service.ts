import { Injectable } from '@nestjs/common';
import { sha256 } from '../../platform/crypto/keyed-hash.js';
import { AppError } from '../../platform/errors/app-error.js';
import { ERROR_CATALOGUE } from '../../platform/errors/error-catalogue.js';
import { orNotFound } from '../../platform/errors/or-not-found.js';
import { followsRule, type NicknameRule } from '../../platform/validation/nickname-rule.js';
import { type Transaction, Transactions } from '../../platform/database/transactions.js';
import { DeliveriesService } from '../../delivery/deliveries/deliveries.service.js';
import { type RenderableOrder } from '../../delivery/deliveries/delivery.types.js';
import { OrderBookService } from './order-book.service.js';
import { type HistoryEntry, type NewOrder, type Order } from './order.types.js';
import { OrdersRepository } from './orders.repository.js';

/** Orders are imported in portions, so that service and store do not hold thousands of documents in memory at once. */
const IMPORT_PORTION = 250;

/** A new nickname of an order, and who gives it. */
export interface Renaming {
  readonly nickname: string;
  readonly at: Date;
  /** As `HistoryEntry` has it. */
  readonly actor: string;
  /** Why staff change it; null for a buyer. */
  readonly reason: string | null;
}

/** Orders: buyers read them and change their nickname. */
@Injectable()
export class OrdersService {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly book: OrderBookService,
    private readonly deliveries: DeliveriesService,
    private readonly transactions: Transactions,
  ) {}

  /** @throws AppError order_not_found, also for a wrong token */
  async getByToken(orderId: string, accessToken: string | undefined): Promise<Order> {
    const order = accessToken === undefined ? null : await this.findByToken(orderId, accessToken);
    return orNotFound(order, 'order_not_found');
  }

  /** @throws AppError order_not_found */
  async get(shopId: string, orderId: string, transaction: Transaction | null): Promise<Order> {
    return orNotFound(await this.find(shopId, orderId, transaction), 'order_not_found');
  }

  /** An order of a shop, or null. */
  find(shopId: string, orderId: string, transaction: Transaction | null): Promise<Order | null> {
    return this.orders.find(shopId, orderId, transaction);
  }

  /** The order with this id and access token, or null. */
  findByToken(orderId: string, accessToken: string): Promise<Order | null> {
    return this.orders.findByToken(orderId, sha256(accessToken));
  }

  /** An order by its id alone, or null. An id is no secret: what the caller shows or changes needs another proof. */
  findPublic(orderId: string): Promise<Order | null> {
    return this.orders.findPublic(orderId);
  }

  /** @throws AppError nickname_not_allowed unless the nickname follows the shop's rule and is safe in the order's commands */
  async requireNickname(order: RenderableOrder, rule: NicknameRule): Promise<void> {
    const problem = await this.nicknameProblem(order, rule);
    if (problem !== null) throw new AppError('nickname_not_allowed', { message: problem });
  }

  /** Why an order cannot have its nickname, in one sentence; null when it can. */
  async nicknameProblem(order: RenderableOrder, rule: NicknameRule): Promise<string | null> {
    if (!followsRule(order.nickname, rule)) return ERROR_CATALOGUE.nickname_not_allowed.message;
    return this.deliveries.renderingProblem(order);
  }

  /**
   * Changes the nickname of an order and of its waiting deliveries.
   * @param order as it was read in the same transaction
   * @throws AppError nickname_locked when the goods do not wait any more
   */
  async rename(order: Order, { nickname, at, actor, reason }: Renaming, transaction: Transaction): Promise<void> {
    const detail = [`${order.nickname} -> ${nickname}`, ...(reason === null ? [] : [reason])].join(': ');
    const history = { at, actor, action: 'nickname_changed', detail };
    const renamed = await this.orders.rename(order.shopId, order.id, nickname, history, transaction);
    if (!renamed) throw new AppError('nickname_locked');
    await this.deliveries.rename({ ...order, nickname }, transaction);
  }

  /**
   * Adds an entry to the history of an order. So of parallel transactions that read the order before, one commits, and the others
   * run again.
   */
  addHistory(shopId: string, orderId: string, entry: HistoryEntry, transaction: Transaction): Promise<void> {
    return this.orders.addHistory(shopId, orderId, entry, transaction);
  }

  /** Stores orders of another system, as they are: no discount is counted, nothing is delivered. */
  async importMany(shopId: string, orders: readonly NewOrder[]): Promise<void> {
    for (let from = 0; from < orders.length; from += IMPORT_PORTION) {
      const portion = orders.slice(from, from + IMPORT_PORTION);
      await this.transactions.run((transaction) => this.book.insertMany(shopId, portion, transaction));
    }
  }
}
