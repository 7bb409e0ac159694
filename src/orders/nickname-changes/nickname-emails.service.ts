import { Injectable } from '@nestjs/common';
import { PageLinks } from '../../http/addresses/page-links.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { EmailsService } from '../../events/mail/emails.service.js';
import {
  type EmailedOrder,
  nicknameChangedEmail,
  nicknameCodeEmail,
  type OrderShop,
} from './nickname-change-emails.js';
import { type NicknameChange } from './nickname-change.types.js';
import { causeOf } from '../order/order-rules.js';
import { type Order } from '../order/order.types.js';

type Addressed = Omit<EmailedOrder, 'link'>;
type Requested = Addressed & Pick<Order, 'origin' | 'totalMinor' | 'paidAt' | 'payments'>;

/** Writes the emails about the nickname of an order, in the transaction of what they report. */
@Injectable()
export class NicknameEmailsService {
  constructor(
    private readonly emails: EmailsService,
    private readonly links: PageLinks,
  ) {}

  /** Whether codes reach anybody. */
  sendsCodes(): boolean {
    return !this.emails.areOff;
  }

  /** @throws AppError emails_off */
  requireCodes(): void {
    this.emails.require('ask the shop to change the nickname');
  }

  /**
   * Whoever placed an order has its token, even when the address is somebody else's. Codes that are requested without the token have a
   * limit of their own, and must not use up the buyer's.
   * @param byBuyer whether the code was requested with the token of the order
   */
  code(
    order: Requested,
    shop: OrderShop,
    { code, byBuyer }: { readonly code: string; readonly byBuyer: boolean },
    transaction: Transaction,
  ): Promise<void> {
    const cause = byBuyer ? causeOf(order) : 'shop';
    return this.emails.addToBuyer(nicknameCodeEmail(this.linked(order, shop), shop, code), cause, transaction);
  }

  /** Writes nothing about an order without an address. */
  async changed(
    { id, number, email }: Pick<Order, 'id' | 'number' | 'email'>,
    shop: OrderShop,
    change: NicknameChange,
    transaction: Transaction,
  ): Promise<void> {
    if (email === null) return;
    const content = nicknameChangedEmail(this.linked({ id, number, email }, shop), shop, change);
    await this.emails.addToBuyer(content, 'shop', transaction);
  }

  private linked({ id, number, email }: Addressed, { uniqueName }: OrderShop): EmailedOrder {
    return { id, number, email, link: this.links.order(uniqueName, id) };
  }
}
