import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type ReviewReason } from '../../domain/payments/payment-review.js';
import { PageLinks } from '../../http/addresses/page-links.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type EmailContent, shopEmail } from '../../events/mail/email.types.js';
import { EmailsService } from '../../events/mail/emails.service.js';
import { type Order } from '../../orders/order/order.types.js';
import { moneyHolder } from '../../orders/order/order-rules.js';
import { OrdersService } from '../../orders/order/orders.service.js';
import { OwnerEmailsService } from '../../shops/owner-emails/owner-emails.service.js';
import { reviewReasons } from '../../orders/settling/review-reasons.js';
import { isPayable } from '../../orders/order/payability.js';
import { ServersService } from '../../catalogue/servers/servers.service.js';
import { type ShopEvent, type ShopEventType } from '../../events/shop-events/shop-event.types.js';
import { ShopEventSubscribers } from '../../events/shop-events/shop-event-subscribers.js';
import { type OwnerEmail, type Shop } from '../../shops/shops/shop.types.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import {
  checkedEmail,
  deliveredEmail,
  receiptEmail,
  receivedEmail,
  refundedEmail,
  rejectedEmail,
  underReviewEmail,
} from './buyer-emails.js';
import {
  deliveryFailedEmail,
  disputeEmail,
  type DisputeEventType,
  type FailedRefund,
  type NoticedPayment,
  refundFailedEmail,
  refundUnconfirmedEmail,
  reviewEmail,
  type ReviewLinks,
  saleEmail,
  serverSilentEmail,
  type UnconfirmedRefund,
} from './owner-notices.js';

/** @returns null: the buyer gets no email */
type BuyerEmail = (
  order: Order,
  shop: Shop,
  link: string,
  details: NonNullable<ShopEvent['details']>,
) => EmailContent | null;

/** Which email the buyer gets of an event of an order. */
const BUYER_EMAILS: Partial<Record<ShopEventType, BuyerEmail>> = {
  // This email requests the payment. A buyer who has paid in the meantime gets the receipt instead, and an order that
  // can no longer be paid needs no email.
  'order.created': (order, shop, link) => (isPayable(order, new Date()) ? receivedEmail(order, shop, link) : null),
  'order.paid': receiptEmail,
  // A surplus, or a loss in part, does not concern the buyer, and neither does the check of an order that is delivered.
  'order.review_needed': (order, shop, link) =>
    order.paymentStatus === 'needs_review' && order.deliveryStatus !== 'delivered'
      ? underReviewEmail(order, shop, link)
      : null,
  // An order that is paid by the decision gets the receipt.
  'order.review_resolved': (order, shop, link, { decision, wasPaid }) => {
    if (decision === 'reject') return rejectedEmail(order, shop, link);
    const isAwaited = decision === 'accept' && wasPaid === true && order.deliveryStatus !== 'delivered';
    return isAwaited ? checkedEmail(order, shop, link) : null;
  },
  // A report that comes after the money went back is no news: the items are removed again.
  'order.delivered': (order, shop, link) => (moneyHolder(order) === 'buyer' ? null : deliveredEmail(order, shop, link)),
  'order.refunded': (order, shop, link, { amountMinor }) =>
    refundedEmail(order, shop, link, { amountMinor: Number(amountMinor), currency: order.currency }),
  'order.surplus_refunded': (order, shop, link, { amountMinor, currency }) =>
    refundedEmail(order, shop, link, { amountMinor: Number(amountMinor), currency: String(currency) }),
};

/** What a notice to owners is about. */
interface NoticeContext {
  readonly type: ShopEventType;
  readonly details: NonNullable<ShopEvent['details']>;
  /** Whether the game server of the order still exists; an order for any server has one. */
  readonly hasServer: boolean;
  readonly links: ReviewLinks;
}
type OwnerNotice = (order: Order, shop: Shop, context: NoticeContext) => readonly EmailContent[];

const disputeNotice: OwnerNotice = (order, shop, { type, details }) => {
  // The same rule causes the email that says what to do about the rest.
  const isPartialLoss =
    type === 'order.dispute_lost' && reviewReasons(order, order.payments).some(({ code }) => code === 'partial_loss');
  return [disputeEmail(type as DisputeEventType, order, shop, details as unknown as NoticedPayment, isPartialLoss)];
};

/** The setting that switches an email off; null: nothing does. */
type Switch = OwnerEmail | null | ((order: Order) => OwnerEmail | null);

/** Which emails owners get of an event of an order, and what switches them off. */
const NOTICES: Partial<Record<ShopEventType, readonly [Switch, OwnerNotice]>> = {
  // The money for a cancelled order must go back.
  'order.paid': [({ status }) => (status === 'cancelled' ? null : 'sale'), (order, shop) => [saleEmail(order, shop)]],
  'order.disputed': ['dispute', disputeNotice],
  'order.dispute_won': ['dispute', disputeNotice],
  'order.dispute_lost': ['dispute', disputeNotice],
  'order.review_needed': [
    null,
    (order, shop, { details, links }) =>
      (details['reasons'] as readonly ReviewReason[]).map((reason) => reviewEmail(order, shop, reason, links)),
  ],
  'refund.failed': [
    null,
    (order, shop, { details, links }) => [
      refundFailedEmail(order, shop, details as unknown as FailedRefund, links.refund),
    ],
  ],
  'refund.unconfirmed': [
    null,
    (order, shop, { details, links }) => [
      refundUnconfirmedEmail(order, shop, details as unknown as UnconfirmedRefund, links.refund),
    ],
  ],
  'delivery.failed': ['delivery_failed', (order, shop, { hasServer }) => [deliveryFailedEmail(order, shop, hasServer)]],
};

const SERVER_NOTICE = 'server.offline';
const TYPES = [...Object.keys(BUYER_EMAILS), ...Object.keys(NOTICES), SERVER_NOTICE] as ShopEventType[];

/** Sends buyers emails about their orders, and owners emails about the events of their shop. */
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
    this.subscribers.register('order-emails', {
      always: new Set(TYPES),
      handle: (event, transaction) => this.handle(event, transaction),
    });
  }

  private async handle({ type, shopId, subjectId, details = {} }: ShopEvent, transaction: Transaction): Promise<void> {
    if (type === SERVER_NOTICE) return this.handleServerEvent(shopId, subjectId, transaction);
    const [emailOf, notice] = [BUYER_EMAILS[type], NOTICES[type]];
    const shop = await this.shops.getIn(shopId, transaction);
    const order = await this.orders.get(shopId, subjectId, transaction);
    const content = emailOf?.(order, shop, this.links.order(order.id), details) ?? null;
    if (content !== null) await this.emails.add([shopEmail(order.email, shop, content, order.id)], transaction);
    if (notice === undefined) return;
    const [off, noticeOf] = notice;
    const setting = typeof off === 'function' ? off(order) : off;
    if (setting !== null && !shop.ownerEmails.includes(setting)) return;
    const { serverId } = order;
    const hasServer = serverId === null || (await this.servers.nameOf(shopId, serverId, transaction)) !== null;
    const links = {
      resolve: this.links.operation('Orders', 'StaffOrders_resolve'),
      refund: this.links.operation('Payments', 'Refunds_create'),
    };
    for (const content of noticeOf(order, shop, { type, details, hasServer, links }))
      await this.owners.add(shopId, () => content, transaction);
  }

  private async handleServerEvent(shopId: string, serverId: string, transaction: Transaction): Promise<void> {
    const shop = await this.shops.getIn(shopId, transaction);
    if (!shop.ownerEmails.includes('server_offline')) return;
    const name = await this.servers.nameOf(shopId, serverId, transaction);
    // A server that was deleted since then is no news.
    if (name !== null) await this.owners.add(shopId, () => serverSilentEmail(name, shop), transaction);
  }
}
