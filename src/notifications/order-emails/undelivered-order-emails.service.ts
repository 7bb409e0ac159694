import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { UndeliveredEmails } from '../../events/mail/undelivered-emails.js';
import { isFreeCheckout, isUnpaid, shownNumber } from '../../orders/order/order-rules.js';
import { type Order } from '../../orders/order/order.types.js';
import { OrdersService } from '../../orders/order/orders.service.js';
import { OwnerEmailsService } from '../../shops/owner-emails/owner-emails.service.js';
import { ofOrder, type OrderShop } from './buyer-emails.js';
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
    if (!isUnpaid(order) && order.email !== null) await this.notify(order, order.email, transaction);
  }

  private async notify(order: Order, address: string, transaction: Transaction): Promise<void> {
    const { id: orderId, shopId } = order;
    const isSummarized =
      isFreeCheckout(order) &&
      !(await this.owners.takeFirst(shopId, 'free_email_undelivered', shownNumber(order), transaction));
    if (isSummarized) return;
    const content = (shop: OrderShop) => ofOrder(order, emailUndeliveredEmail(order, shop, address), shop);
    await this.owners.add(shopId, content, transaction, { orderId });
  }
}
