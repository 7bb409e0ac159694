import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { UndeliveredEmails } from '../../events/mail/undelivered-emails.js';
import { OrdersService } from '../../orders/order/orders.service.js';
import { OwnerEmailsService } from '../../shops/owner-emails/owner-emails.service.js';
import { emailUndeliveredEmail } from './owner-notices.js';

const ACTION = 'email_undelivered';

/**
 * Shows an email that did not reach its buyer in the history of the order, and sends the owners an email: once for an order,
 * because all emails of an order go to one address.
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
    if (order.history.some(({ action }) => action === ACTION)) return;
    const entry = { at: new Date(), actor: 'system', action: ACTION, detail: null };
    await this.orders.addHistory(shopId, orderId, entry, transaction);
    await this.owners.add(shopId, (shop) => emailUndeliveredEmail(order, shop, order.email), transaction, { orderId });
  }
}
