import { Injectable } from '@nestjs/common';
import { changesBetween } from '../audit/audit-rules.js';
import { AuditService } from '../audit/audit.service.js';
import { orNotFound } from '../common/errors/or-not-found.js';
import { type Transaction, Transactions } from '../database/transactions.js';
import { MailService } from '../mail/mail.service.js';
import { type Order } from '../orders/order.types.js';
import { OrdersService } from '../orders/orders.service.js';
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

/** Buyers correct the nickname of an order with a code that is sent to the order's email address. */
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
    const shop = await this.shops.settingsOf(order.shopId);
    // Checked before the code, so that a wrong nickname does not use up a try.
    await this.orders.requireNickname({ ...order, nickname }, shop.nicknameRule);
    const holder = await this.holderOf(orderId, requester);
    const proof = await this.codes.prove(holder, verificationCode);
    const change = { orderId, previousNickname: order.nickname, nickname, changedAt: new Date() };
    await this.apply(order, holder, proof, change);
    this.mail.post(nicknameChangedEmail(order.email, shop.displayName, change));
    return change;
  }

  private async holderOf(orderId: string, { address, orderToken }: Requester): Promise<CodeHolder> {
    const isBuyer = orderToken !== undefined && (await this.orders.isBuyer(orderId, orderToken));
    return isBuyer ? this.codes.buyer(orderId) : this.codes.network(orderId, address);
  }

  /**
   * @param order as it was read before the transaction. Its nickname is still the same: only a valid code of the order can change
   * it, and the first change makes all codes of the order invalid.
   */
  private apply(
    order: Order,
    holder: CodeHolder,
    proof: string,
    { nickname, changedAt }: NicknameChange,
  ): Promise<void> {
    const work = async (transaction: Transaction): Promise<void> => {
      await this.codes.use(holder, proof, changedAt, transaction);
      await this.orders.rename(order, nickname, changedAt, transaction);
      const changes = changesBetween({ nickname: order.nickname }, { nickname });
      const write = { action: 'order.nickname_changed', subjectId: order.id, changes } as const;
      await this.audit.record({ shopId: order.shopId, principal: 'buyer' }, write, transaction);
    };
    return this.transactions.run(work, { oneAtATime: nicknameOf(order.id) });
  }
}
