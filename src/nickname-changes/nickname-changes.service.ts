import { Injectable } from '@nestjs/common';
import { changesBetween } from '../audit/audit-rules.js';
import { AuditService } from '../audit/audit.service.js';
import { type ShopContext } from '../common/auth/auth-context.js';
import { AppError } from '../common/errors/app-error.js';
import { orNotFound } from '../common/errors/or-not-found.js';
import { type Transaction, Transactions } from '../database/transactions.js';
import { MailService } from '../mail/mail.service.js';
import { type Order } from '../orders/order.types.js';
import { OrdersService, type Renaming } from '../orders/orders.service.js';
import { ShopsService } from '../shops/shops.service.js';
import { nicknameChangedEmail, nicknameCodeEmail } from './nickname-change-emails.js';
import { type NicknameChange } from './nickname-change.types.js';
import { type CodeHolder } from './nickname-code.types.js';
import { nicknameOf, NicknameCodesService } from './nickname-codes.service.js';

/** Who sends a request about a nickname. */
export interface Requester {
  readonly address: string | undefined;
  /** The value of `X-Order-Token`. Without it, or with a wrong one, the requester is only known by the address. */
  readonly orderToken: string | undefined;
}

/**
 * Corrects the nickname of an order: for its buyer, with a code that is sent to the order's email address, and for staff. That
 * address is told of each change.
 */
@Injectable()
export class NicknameChangesService {
  constructor(
    private readonly orders: OrdersService,
    private readonly codes: NicknameCodesService,
    private readonly shops: ShopsService,
    private readonly mail: MailService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Sends a code by email if the order exists and its limits allow one. All of this happens after the response, so neither
   * the text nor the time of the response shows which orders exist.
   */
  request(orderId: string, requester: Requester): void {
    this.mail.inBackground(async () => {
      const order = await this.orders.findPublic(orderId);
      if (order === null) return;
      const code = await this.codes.issue(await this.holderOf(orderId, requester), order.email);
      if (code !== null) this.mail.post(nicknameCodeEmail(order.email, order.id, code));
    });
  }

  /**
   * Changes the nickname with a code that the same requester asked for. A wrong, an expired and a used code get the same error.
   * @throws AppError order_not_found, nickname_not_allowed, verification_code_invalid, attempts_exhausted, nickname_locked
   */
  async change(
    orderId: string,
    requester: Requester,
    verificationCode: string,
    nickname: string,
  ): Promise<NicknameChange> {
    const order = orNotFound(await this.orders.findPublic(orderId), 'order_not_found');
    const shopName = await this.requireNickname(order, nickname);
    const holder = await this.holderOf(orderId, requester);
    const proof = await this.codes.prove(holder, verificationCode);
    const renaming = { nickname, at: new Date(), actor: 'buyer', reason: null };
    return this.apply(order, shopName, renaming, (_, transaction) =>
      this.codes.use(holder, proof, renaming.at, transaction),
    );
  }

  private async holderOf(orderId: string, { address, orderToken }: Requester): Promise<CodeHolder> {
    const owned = orderToken === undefined ? null : await this.orders.findByToken(orderId, orderToken);
    return owned !== null ? this.codes.buyer(orderId) : this.codes.network(orderId, address);
  }

  /**
   * Changes the nickname for staff, who need no code.
   * @throws AppError order_not_found, nickname_not_allowed, nickname_locked, nickname_unchanged
   */
  async changeByStaff(
    { shopId, principal }: ShopContext,
    orderId: string,
    nickname: string,
    reason: string,
  ): Promise<NicknameChange> {
    const order = await this.orders.get(shopId, orderId, null);
    const shopName = await this.requireNickname(order, nickname);
    const renaming = { nickname, at: new Date(), actor: principal, reason };
    return this.apply(order, shopName, renaming, ({ nickname: before }) => {
      if (before === nickname) throw new AppError('nickname_unchanged');
      return Promise.resolve();
    });
  }

  /** Before a code is tried, so that a wrong nickname does not use up a try. @returns the name of the shop */
  private async requireNickname(order: Order, nickname: string): Promise<string> {
    const { displayName, nicknameRule } = await this.shops.settingsOf(order.shopId);
    await this.orders.requireNickname({ ...order, nickname }, nicknameRule);
    return displayName;
  }

  /** @param allow decides in the transaction whether the change may happen */
  private async apply(
    { shopId, id: orderId, email }: Order,
    shopName: string,
    renaming: Renaming,
    allow: (order: Order, transaction: Transaction) => Promise<void>,
  ): Promise<NicknameChange> {
    const { nickname, at, actor, reason } = renaming;
    const work = async (transaction: Transaction): Promise<NicknameChange> => {
      const order = await this.orders.get(shopId, orderId, transaction);
      await allow(order, transaction);
      await this.orders.rename(order, renaming, transaction);
      const changes = changesBetween({ nickname: order.nickname }, { nickname, reason });
      const write = { action: 'order.nickname_changed', subjectId: orderId, changes } as const;
      await this.audit.record({ shopId, principal: actor }, write, transaction);
      return { orderId, previousNickname: order.nickname, nickname, changedAt: at };
    };
    const change = await this.transactions.run(work, { oneAtATime: nicknameOf(orderId) });
    this.mail.post(nicknameChangedEmail(email, shopName, change));
    return change;
  }
}
