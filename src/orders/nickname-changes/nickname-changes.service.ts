import { Injectable } from '@nestjs/common';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { AppError } from '../../domain/errors/app-error.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { type OrderShop } from './nickname-change-emails.js';
import { type Order } from '../order/order.types.js';
import { OrdersService, type Renaming } from '../order/orders.service.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { type NicknameChange } from './nickname-change.types.js';
import { NicknameCodeRequestsService } from './nickname-code-requests.service.js';
import { type Requester } from './nickname-code.types.js';
import { nicknameOf, NicknameCodesService } from './nickname-codes.service.js';
import { NicknameEmailsService } from './nickname-emails.service.js';
import { NicknameWritesService } from './nickname-writes.service.js';

/** What staff change, and why. */
export interface StaffNicknameChange {
  readonly newNickname: string;
  readonly reason: string;
  /** Only the nickname of this delivery. */
  readonly deliveryId?: string | undefined;
}

/**
 * Corrects the nickname of an order: for its buyer, with a code that is sent to the order's email address, and for
 * staff. That address gets an email about each change.
 */
@Injectable()
export class NicknameChangesService {
  constructor(
    private readonly orders: OrdersService,
    private readonly requests: NicknameCodeRequestsService,
    private readonly codes: NicknameCodesService,
    private readonly shops: ShopsService,
    private readonly emails: NicknameEmailsService,
    private readonly writes: NicknameWritesService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Sends a code by email if the order exists and its limits allow one. All of this happens after the response, so
   * neither the body nor the time of the response shows which orders exist.
   * @throws AppError emails_off
   */
  async request(orderId: string, requester: Requester): Promise<void> {
    this.emails.requireCodes();
    await this.requests.add(orderId, requester);
  }

  /** Whether buyers can request codes; otherwise only staff change nicknames. */
  sendsCodes(): boolean {
    return this.emails.sendsCodes();
  }

  /**
   * Changes the nickname with a code that the same requester requested. A wrong, an expired and a used code get the
   * same error. The nickname that the order has already uses the code, and changes nothing.
   * @throws AppError order_not_found, nickname_not_allowed, verification_code_invalid, attempts_exhausted, nickname_locked
   */
  async change(
    orderId: string,
    requester: Requester,
    verificationCode: string,
    nickname: string,
  ): Promise<NicknameChange> {
    const order = orNotFound(await this.orders.findPublic(orderId, null), 'order_not_found');
    const shop = await this.requireNickname(order, nickname);
    const holder = await this.requests.holderOf(orderId, requester);
    const proof = await this.codes.prove(holder, verificationCode);
    const renaming = { nickname, at: new Date(), actor: 'buyer', reason: null };
    return this.apply(order, shop, renaming, (_, transaction) =>
      this.codes.use(holder, proof, renaming.at, transaction),
    );
  }

  /**
   * Changes the nickname of an order, or of one of its deliveries, for staff, who need no code.
   * @throws AppError order_not_found, delivery_not_found, nickname_not_allowed, nickname_locked, nickname_unchanged
   */
  async changeByStaff(
    { shopId, principal }: ShopContext,
    orderId: string,
    { newNickname: nickname, reason, deliveryId }: StaffNicknameChange,
  ): Promise<NicknameChange> {
    const order = await this.orders.get(shopId, orderId, null);
    const shop = await this.requireNickname(order, nickname);
    const renaming = { nickname, at: new Date(), actor: principal, reason };
    if (deliveryId !== undefined) return this.applyToDelivery(order, deliveryId, shop, renaming);
    return this.apply(order, shop, renaming, ({ nickname: before }) => {
      if (before === nickname) throw new AppError('nickname_unchanged');
      return Promise.resolve();
    });
  }

  /** Before a code is checked, so that a wrong nickname uses no attempt. @returns the shop */
  private async requireNickname(order: Order, nickname: string): Promise<OrderShop> {
    const shop = await this.shops.settingsOf(order.shopId);
    await this.orders.requireNickname({ ...order, nickname }, shop.nicknameRule);
    return shop;
  }

  private applyToDelivery(
    { shopId, id: orderId }: Order,
    deliveryId: string,
    shop: OrderShop,
    renaming: Renaming,
  ): Promise<NicknameChange> {
    const work = async (transaction: Transaction): Promise<NicknameChange> => {
      const order = await this.orders.get(shopId, orderId, transaction);
      return this.writes.ofDelivery(order, deliveryId, shop, renaming, transaction);
    };
    return this.transactions.run(work, { oneAtATime: nicknameOf(orderId) });
  }

  /** @param allow decides in the transaction whether the change may happen */
  private async apply(
    { shopId, id: orderId }: Order,
    shop: OrderShop,
    renaming: Renaming,
    allow: (order: Order, transaction: Transaction) => Promise<void>,
  ): Promise<NicknameChange> {
    const { nickname, at } = renaming;
    const work = async (transaction: Transaction): Promise<NicknameChange> => {
      const order = await this.orders.get(shopId, orderId, transaction);
      await allow(order, transaction);
      // Nothing to record then, and nobody to warn.
      if (order.nickname === nickname) return { orderId, previousNickname: nickname, nickname, changedAt: at };
      return this.writes.ofOrder(order, shop, renaming, transaction);
    };
    return this.transactions.run(work, { oneAtATime: nicknameOf(orderId) });
  }
}
