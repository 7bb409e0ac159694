import { Injectable } from '@nestjs/common';
import { changesBetween } from '../audit/audit-rules.js';
import { AuditService } from '../audit/audit.service.js';
import { AppError } from '../common/errors/app-error.js';
import { Transactions } from '../database/transactions.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { MailService } from '../mail/mail.service.js';
import { ShopsService } from '../shops/shops.service.js';
import { NicknameCodesService } from './nickname-codes.service.js';
import { isNicknameAllowed } from './order-rules.js';
import { type Order } from './order.types.js';
import { OrdersRepository } from './orders.repository.js';

export interface NicknameChange {
  readonly orderId: string;
  readonly previousNickname: string;
  readonly nickname: string;
  readonly changedAt: Date;
}

/** Lets a buyer correct the nickname of an order, with a code that is mailed to the order's address. */
@Injectable()
export class NicknameService {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly codes: NicknameCodesService,
    private readonly shops: ShopsService,
    private readonly deliveries: DeliveriesService,
    private readonly mail: MailService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Mails a code, if there is such an order and it may have one. Everything happens after the answer, so that neither its
   * words nor its time tell which orders exist.
   */
  request(orderId: string): void {
    this.mail.inBackground(async () => {
      const order = await this.orders.findPublic(orderId);
      if (order === null) return;
      const code = await this.codes.issue(orderId);
      if (code === null) return;
      this.mail.post({
        to: order.email,
        subject: 'Your code to change the nickname',
        text: `The code to change the nickname of order ${order.id}:\n\n${code}\n\nIt works once, for 10 minutes. If you did not ask for it, ignore this mail.\n`,
      });
    });
  }

  /**
   * Changes the nickname with a code. A wrong, an expired and a used code get the same answer.
   * @throws AppError order_not_found, nickname_not_allowed, verification_code_invalid, attempts_exhausted, nickname_locked
   */
  async change(orderId: string, verificationCode: string, nickname: string): Promise<NicknameChange> {
    const order = await this.orders.findPublic(orderId);
    if (order === null) throw new AppError('order_not_found');
    const shop = await this.shops.settingsOf(order.shopId);
    // Looked at before the code, so that a typing mistake in the name costs no try.
    if (!isNicknameAllowed(nickname, shop.nicknameRule, order.items)) throw new AppError('nickname_not_allowed');
    const proof = await this.codes.prove(orderId, verificationCode);
    const changedAt = new Date();
    await this.apply(order, proof, nickname, changedAt);
    this.mail.post({
      to: order.email,
      subject: 'The nickname of your order was changed',
      text: `The nickname of order ${order.id} was changed from ${order.nickname} to ${nickname}.\n\nIf this was not you, contact ${shop.displayName}.\n`,
    });
    return { orderId, previousNickname: order.nickname, nickname, changedAt };
  }

  private apply(order: Order, proof: string, nickname: string, changedAt: Date): Promise<void> {
    const history = {
      at: changedAt,
      actor: 'buyer',
      action: 'nickname_changed',
      detail: `${order.nickname} -> ${nickname}`,
    };
    return this.transactions.run(async (transaction) => {
      await this.codes.use(order.id, proof, changedAt, transaction);
      if (!(await this.orders.rename(order, nickname, history, transaction))) throw new AppError('nickname_locked');
      await this.deliveries.rename({ ...order, nickname }, transaction);
      const changes = changesBetween({ nickname: order.nickname }, { nickname });
      const write = { action: 'order.nickname_changed', subjectId: order.id, changes } as const;
      await this.audit.record({ shopId: order.shopId, principal: 'buyer' }, write, transaction);
    });
  }
}
