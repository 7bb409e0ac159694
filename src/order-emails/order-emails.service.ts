import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PageLinks } from '../common/http/page-links.js';
import { type Transaction } from '../database/transactions.js';
import { type EmailContent, shopEmail } from '../mail/email.types.js';
import { EmailsService } from '../mail/emails.service.js';
import { type Order } from '../orders/order.types.js';
import { OrdersService } from '../orders/orders.service.js';
import { OwnerEmailsService } from '../owner-emails/owner-emails.service.js';
import { ServersService } from '../servers/servers.service.js';
import { type ShopEvent, type ShopEventType } from '../shop-events/shop-event.types.js';
import { ShopEventSubscribers } from '../shop-events/shop-event-subscribers.js';
import { type OwnerEmail, type Shop } from '../shops/shop.types.js';
import { ShopsService } from '../shops/shops.service.js';
import { deliveredEmail, receiptEmail, receivedEmail, refundedEmail } from './buyer-emails.js';
import { deliveryFailedEmail, disputeEmail, saleEmail, serverSilentEmail } from './owner-notices.js';

/** Which emails owners get of an event of an order, by the setting that switches them off. */
const NOTICES: Partial<Record<ShopEventType, readonly [OwnerEmail, typeof saleEmail]>> = {
  'order.paid': ['sale', saleEmail],
  'order.disputed': ['dispute', disputeEmail],
  'delivery.failed': ['delivery_failed', deliveryFailedEmail],
};

/** Tells buyers what became of their orders, and owners what they should know, by email. */
@Injectable()
export class OrderEmailsService implements OnModuleInit {
  constructor(
    private readonly subscribers: ShopEventSubscribers,
    private readonly shops: ShopsService,
    private readonly orders: OrdersService,
    private readonly servers: ServersService,
    private readonly emails: EmailsService,
    private readonly owners: OwnerEmailsService,
    private readonly links: PageLinks,
  ) {}

  onModuleInit(): void {
    this.subscribers.register('order-emails', (event, transaction) => this.tell(event, transaction));
  }

  private async tell(event: ShopEvent, transaction: Transaction): Promise<void> {
    const { type, shopId, subjectId } = event;
    if (type === 'server.offline') return this.tellOfServer(shopId, subjectId, transaction);
    if (!type.startsWith('order.') && type !== 'delivery.failed') return;
    const shop = await this.shops.settingsOf(shopId);
    const order = await this.orders.get(shopId, subjectId, transaction);
    const content = this.forBuyer(event, order, shop);
    if (content !== null) await this.emails.add([shopEmail(order.email, shop, content)], transaction);
    const [setting, notice] = NOTICES[type] ?? [];
    if (setting === undefined || notice === undefined || !shop.ownerEmails.includes(setting)) return;
    await this.owners.add(shopId, () => notice(order, shop), transaction);
  }

  /** null: the buyer gets no email. */
  private forBuyer({ type, details }: ShopEvent, order: Order, shop: Shop): EmailContent | null {
    const link = this.links.order(order.id);
    // Who has paid in the meantime gets the receipt.
    if (type === 'order.created') return order.paidAt === null ? receivedEmail(order, shop, link) : null;
    if (type === 'order.paid') return receiptEmail(order, shop, link);
    if (type === 'order.delivered') return deliveredEmail(order, shop, link);
    if (type === 'order.refunded') return refundedEmail(order, shop, link, Number(details?.['amountMinor']));
    return null;
  }

  private async tellOfServer(shopId: string, serverId: string, transaction: Transaction): Promise<void> {
    const shop = await this.shops.settingsOf(shopId);
    if (!shop.ownerEmails.includes('server_offline')) return;
    const name = await this.servers.nameOf(shopId, serverId);
    // A server that was deleted since then is no news.
    if (name !== null) await this.owners.add(shopId, () => serverSilentEmail(name, shop), transaction);
  }
}
