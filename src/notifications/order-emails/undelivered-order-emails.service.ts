import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { UndeliveredEmails } from '../../events/mail/undelivered-emails.js';
import { isUnpaid } from '../../orders/order/order-rules.js';
import { type Order } from '../../orders/order/order.types.js';
import { OrdersService } from '../../orders/order/orders.service.js';
import { OwnerEmailsService } from '../../shops/owner-emails/owner-emails.service.js';
import { emailUndeliveredEmail } from './owner-notices.js';
import { EMAIL_UNDELIVERED } from './undelivered-rules.js';

/**
 * Shows an email that did not reach its buyer in the history of the order, and sends the owners an email: once for an order,
 * because all emails of an order go to one address. Nobody needs to act on an order that is not paid, and anybody can place one with any
 * address: so its owners get the email when it is paid (`OrderEmailsService`).
 */
@Injectable()
export class UndeliveredOrderEmailsService implements OnModuleInit {
  constructor(
    private readonly undelivered: UndeliveredEmails,
    private readonly orders: OrdersService,
    private readonly owners: OwnerEmailsService,
  ) {}

  onModuleInit(): void {
    this.undelivered.register('order', (shopId, orderId, transaction) => this.handle(shopId, orderId, transaction));
  }

  private async handle(shopId: string, orderId: string, transaction: Transaction): Promise<void> {
    const order = await this.orders.get(shopId, orderId, transaction);
    if (order.history.some(({ action }) => action === EMAIL_UNDELIVERED)) return;
    const entry = { at: new Date(), actor: 'system', action: EMAIL_UNDELIVERED, detail: null };
    await this.orders.addHistory(shopId, orderId, entry, transaction);
    if (!isUnpaid(order)) await this.notify(order, transaction);
  }

  private async notify(order: Order, transaction: Transaction): Promise<void> {
    const { id: orderId, shopId, email, totalMinor } = order;
    const isSummarized =
      totalMinor === 0 && !(await this.owners.takeFirst(shopId, 'free_email_undelivered', orderId, transaction));
    if (isSummarized) return;
    await this.owners.add(shopId, (shop) => emailUndeliveredEmail(order, shop, email), transaction, { orderId });
  }
}
