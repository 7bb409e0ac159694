import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { deriveKey, equalInConstantTime, keyedHash } from '../common/crypto/keyed-hash.js';
import { AppError } from '../common/errors/app-error.js';
import { type AppConfig } from '../config/app-config.js';
import { Transactions } from '../database/transactions.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { MailService } from '../mail/mail.service.js';
import { ShopsService } from '../shops/shops.service.js';
import {
  CODE_LIFETIME_MS,
  generateCode,
  isLockedOut,
  maySend,
  secondsToTomorrow,
  withNewCode,
} from './nickname-code-rules.js';
import { type CodeState, NicknameCodesRepository } from './nickname-codes.repository.js';
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
  private readonly pepper: Buffer;

  constructor(
    private readonly orders: OrdersRepository,
    private readonly codes: NicknameCodesRepository,
    private readonly shops: ShopsService,
    private readonly deliveries: DeliveriesService,
    private readonly mail: MailService,
    private readonly transactions: Transactions,
    config: ConfigService<AppConfig, true>,
  ) {
    this.pepper = deriveKey(config.get('encryptionKey', { infer: true }), 'nickname-codes');
  }

  /**
   * Mails a code, if there is such an order and it may have one. Everything happens after the answer, so that neither its
   * words nor its time tell which orders exist.
   */
  request(orderId: string): void {
    this.mail.inBackground(async () => {
      const order = await this.orders.findPublic(orderId);
      if (order === null) return;
      const before = await this.codes.find(orderId);
      if (!maySend(before, new Date())) return;
      const code = await this.issue(orderId, before, CODE_LIFETIME_MS);
      if (code === null) return;
      this.mail.post({
        to: order.email,
        subject: 'Your code to change the nickname',
        text: `The code to change the nickname of order ${order.id}:\n\n${code}\n\nIt works once, for 10 minutes. If you did not ask for it, ignore this mail.\n`,
      });
    });
  }

  /** A code that is handed out rather than mailed: for the demo shop, whose buyers have no mailbox. */
  async issueForDemo(orderId: string, lifetimeMs: number): Promise<string | null> {
    return this.issue(orderId, await this.codes.find(orderId), lifetimeMs);
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
    const codeHash = await this.provenHash(orderId, verificationCode);
    const changedAt = new Date();
    await this.apply(order, codeHash, nickname, changedAt);
    this.mail.post({
      to: order.email,
      subject: 'The nickname of your order was changed',
      text: `The nickname of order ${order.id} was changed from ${order.nickname} to ${nickname}.\n\nIf this was not you, contact ${shop.displayName}.\n`,
    });
    return { orderId, previousNickname: order.nickname, nickname, changedAt };
  }

  /** The new code, or null when a request at the same time was faster. */
  private async issue(orderId: string, before: CodeState | null, lifetimeMs: number): Promise<string | null> {
    const code = generateCode();
    const state = withNewCode(before, this.hashOf(orderId, code), new Date(), lifetimeMs);
    return (await this.codes.replace(orderId, before, state)) ? code : null;
  }

  private async provenHash(orderId: string, verificationCode: string): Promise<string> {
    const now = new Date();
    const codeHash = await this.codes.takeTry(orderId, now);
    if (codeHash === null) {
      if (!isLockedOut(await this.codes.find(orderId), now)) throw new AppError('verification_code_invalid');
      throw new AppError('attempts_exhausted', { headers: { 'Retry-After': String(secondsToTomorrow(now)) } });
    }
    if (!equalInConstantTime(codeHash, this.hashOf(orderId, verificationCode))) {
      throw new AppError('verification_code_invalid');
    }
    return codeHash;
  }

  private apply(order: Order, codeHash: string, nickname: string, changedAt: Date): Promise<void> {
    const history = {
      at: changedAt,
      actor: 'buyer',
      action: 'nickname_changed',
      detail: `${order.nickname} -> ${nickname}`,
    };
    return this.transactions.run(async (transaction) => {
      if (!(await this.codes.use(order.id, codeHash, changedAt, transaction))) {
        throw new AppError('verification_code_invalid');
      }
      if (!(await this.orders.rename(order, nickname, history, transaction))) throw new AppError('nickname_locked');
      await this.deliveries.rename({ ...order, nickname }, transaction);
    });
  }

  private hashOf(orderId: string, code: string): string {
    return keyedHash(this.pepper, `${orderId}:${code}`);
  }
}
