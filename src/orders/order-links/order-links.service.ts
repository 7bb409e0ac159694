import { Injectable, type OnModuleInit } from '@nestjs/common';
import { mailboxOf } from '../../domain/buyers/mailbox.js';
import { type EmailContent, shopEmail } from '../../events/mail/email.types.js';
import { type EmailAddition, EmailsService } from '../../events/mail/emails.service.js';
import { type ApplyingHandler, OutboxHandlers } from '../../events/outbox/outbox-handlers.js';
import { type OutboxItem } from '../../events/outbox/outbox.types.js';
import { OutboxService } from '../../events/outbox/outbox.service.js';
import { PageLinks } from '../../http/addresses/page-links.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { backoff } from '../../infrastructure/jobs/backoff.js';
import { formatTime } from '../../lib/formats/formats.js';
import { DAY_MS, MINUTE_MS } from '../../lib/time/durations.js';
import { isolated } from '../../lib/strings/characters.js';
import { type Shop } from '../../shops/shops/shop.types.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { type EmailedOrder } from '../order/order.types.js';
import { OrdersService } from '../order/orders.service.js';
import { ORDER_LINKS_COPY } from './order-links-copy.js';

const TOPIC = 'order-links';
const MAX_ATTEMPTS = 5;

/** How many orders an email names: the latest ones. */
const MAX_ORDERS = 20;

interface LinksRequest {
  readonly email: string;
}

/**
 * Sends buyers the links of their orders. Each request is stored alike and processed after the response, so neither the body nor the
 * time of the response shows who has bought something. The email goes to the address of an order, and counts for the mailbox as any other
 * email that a stranger can cause.
 */
@Injectable()
export class OrderLinksService implements ApplyingHandler, OnModuleInit {
  constructor(
    private readonly outbox: OutboxService,
    private readonly handlers: OutboxHandlers,
    private readonly orders: OrdersService,
    private readonly shops: ShopsService,
    private readonly emails: EmailsService,
    private readonly links: PageLinks,
    private readonly transactions: Transactions,
  ) {}

  onModuleInit(): void {
    this.handlers.register(TOPIC, this);
  }

  /** Stores a request, whether the mailbox has an order in the shop or not. @throws AppError shop_not_found, emails_off */
  async request(shopId: string, email: string): Promise<void> {
    this.emails.require('contact the shop');
    await this.shops.settingsOf(shopId);
    const payload: LinksRequest = { email };
    const message = { topic: TOPIC, shopId, orderId: null, lane: 'requests', stream: null, payload };
    await this.transactions.run((transaction) => this.outbox.add([message], transaction));
  }

  async apply(items: readonly OutboxItem[], transaction: Transaction): Promise<void> {
    const additions: EmailAddition[] = [];
    for (const { shopId, payload } of items) {
      if (shopId === null) continue;
      const { email } = payload as LinksRequest;
      const orders = await this.orders.latestOf(shopId, mailboxOf(email), MAX_ORDERS, transaction);
      const to = orders[0]?.email ?? null;
      if (to === null) continue;
      const shop = await this.shops.getIn(shopId, transaction);
      additions.push({ email: shopEmail(to, shop, this.contentOf(orders, shop)), cause: 'anybody' });
    }
    if (additions.length > 0) await this.emails.addAll(additions, transaction);
  }

  isTo(payload: unknown, mailbox: string): boolean {
    return mailboxOf((payload as LinksRequest).email) === mailbox;
  }

  retryAfter(attempts: number): number | null {
    return attempts < MAX_ATTEMPTS ? backoff(attempts, MINUTE_MS, DAY_MS) : null;
  }

  private contentOf(
    orders: readonly EmailedOrder[],
    { uniqueName, displayName, language, timezone }: Shop,
  ): EmailContent {
    const copy = ORDER_LINKS_COPY[language];
    const parts = orders.map(({ id, createdAt, items }) => {
      const names = items.map(({ name, quantity }) => `${quantity} × ${isolated(name)}`).join(', ');
      return {
        link: this.links.order(uniqueName, id),
        label: `${formatTime(createdAt, timezone, language)}: ${names}`,
      };
    });
    return { subject: copy.subject(displayName), parts: [{ text: copy.body(displayName) }, ...parts] };
  }
}
