import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PageLinks } from '../../http/addresses/page-links.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type EmailContent, shopEmail } from '../../events/mail/email.types.js';
import { type EmailAddition, EmailsService } from '../../events/mail/emails.service.js';
import { type Order } from '../../orders/order/order.types.js';
import { causeOf, isFreeCheckout, moneyHolder, shownNumber } from '../../orders/order/order-rules.js';
import { OrdersService } from '../../orders/order/orders.service.js';
import { OwnerEmailsService, type OwnerNotice } from '../../shops/owner-emails/owner-emails.service.js';
import { type NoticeKind } from '../../shops/owner-emails/owner-notice.types.js';
import { reviewReasons } from '../../orders/settling/review-reasons.js';
import { isPayable } from '../../orders/order/payability.js';
import { problemOf } from '../../catalogue/servers/server-status.js';
import { ServersService } from '../../catalogue/servers/servers.service.js';
import { type DisputeEventType, type OrderEventType } from '../../events/shop-events/shop-event-details.js';
import { isOfOrder } from '../../events/shop-events/shop-event-rules.js';
import { type ShopEvent, type ShopEventBatch } from '../../events/shop-events/shop-event.types.js';
import { ShopEventSubscribers } from '../../events/shop-events/shop-event-subscribers.js';
import { type ConsentText } from '../../shops/consents/consent.types.js';
import { type OwnerEmail, type Shop } from '../../shops/shops/shop.types.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { isDone } from '../../delivery/deliveries/delivery.types.js';
import {
  checkedEmail,
  deliveredEmail,
  ofOrder,
  receiptEmail,
  receivedEmail,
  refundedEmail,
  rejectedEmail,
  underReviewEmail,
  withdrawalEmail,
} from './buyer-emails.js';
import {
  deliveryFailedEmail,
  deliveryUncertainEmail,
  disputeEmail,
  emailUndeliveredEmail,
  refundFailedEmail,
  refundUnconfirmedEmail,
  reviewEmail,
  type ReviewLinks,
  saleEmail,
  serverSilentEmail,
  withdrawalNoticeEmail,
} from './owner-notices.js';
import { failedUnpaid } from './undelivered-rules.js';

/** @returns null: the buyer gets no email */
type BuyerEmail<Type extends OrderEventType> = (
  order: Order,
  shop: Shop,
  link: string,
  event: ShopEvent<Type>,
  texts: readonly ConsentText[],
) => EmailContent | null;

/** Which email the buyer gets of an event of an order. */
const BUYER_EMAILS: { readonly [Type in OrderEventType]?: BuyerEmail<Type> } = {
  // This email requests the payment. A buyer who has paid in the meantime gets the receipt instead, and an order that
  // can no longer be paid needs no email.
  'order.created': (order, shop, link) => (isPayable(order, new Date()) ? receivedEmail(order, shop, link) : null),
  'order.paid': (order, shop, link, _, texts) => receiptEmail(order, shop, link, texts),
  'order.withdrawal_requested': withdrawalEmail,
  // A surplus, or a loss in part, does not concern the buyer, and neither does the check of an order that is delivered.
  'order.review_needed': (order, shop, link) =>
    order.paymentStatus === 'needs_review' && !isDone(order.deliveryStatus)
      ? underReviewEmail(order, shop, link)
      : null,
  // An order that is paid by the decision gets the receipt.
  'order.review_resolved': (order, shop, link, { details: { decision, wasPaid } }) => {
    if (decision === 'reject') return rejectedEmail(order, shop, link);
    const isAwaited = decision === 'accept' && wasPaid && !isDone(order.deliveryStatus);
    return isAwaited ? checkedEmail(order, shop, link) : null;
  },
  // A report that comes after the money went back is no news: the items are removed again.
  'order.delivered': (order, shop, link) => (moneyHolder(order) === 'buyer' ? null : deliveredEmail(order, shop, link)),
  'order.refunded': (order, shop, link, { details: { amountMinor } }) =>
    refundedEmail(order, shop, link, { amountMinor, currency: order.currency }),
  'order.surplus_refunded': (order, shop, link, { details }) => refundedEmail(order, shop, link, details),
};

/** What a notice to owners needs beside its event. */
interface NoticeContext {
  /** Whether the game server of the order still exists; an order for any server has one. Read only for a failed delivery. */
  readonly hasServer: boolean;
  readonly links: ReviewLinks & { readonly decideDelivery: string };
}
type NoticeOf<Type extends OrderEventType> = (
  order: Order,
  shop: Shop,
  event: ShopEvent<Type>,
  context: NoticeContext,
) => readonly EmailContent[];

function disputeNotice(order: Order, shop: Shop, { type, details }: ShopEvent<DisputeEventType>): EmailContent[] {
  // The same rule causes the email that says what to do about the rest.
  const isPartialLoss =
    type === 'order.dispute_lost' && reviewReasons(order, order.payments).some(({ code }) => code === 'partial_loss');
  return [disputeEmail(type, order, shop, details, isPartialLoss)];
}

/** The setting that switches an email off; null: nothing does. */
type Switch = OwnerEmail | null | ((order: Order) => OwnerEmail | null);

/** Which emails owners get of an event of an order, and what switches them off. */
const NOTICES: { readonly [Type in OrderEventType]?: readonly [Switch, NoticeOf<Type>] } = {
  // The money for a cancelled order must go back.
  'order.paid': [({ status }) => (status === 'cancelled' ? null : 'sale'), (order, shop) => [saleEmail(order, shop)]],
  'order.disputed': ['dispute', disputeNotice],
  'order.dispute_won': ['dispute', disputeNotice],
  'order.dispute_lost': ['dispute', disputeNotice],
  'order.review_needed': [
    null,
    (order, shop, { details: { reasons } }, { links }) =>
      reasons.map((reason) => reviewEmail(order, shop, reason, links)),
  ],
  'order.withdrawal_requested': [
    null,
    (order, shop, { details }, { links }) => [withdrawalNoticeEmail(order, shop, details, links.refund)],
  ],
  'refund.failed': [
    null,
    (order, shop, { details }, { links }) => [refundFailedEmail(order, shop, details, links.refund)],
  ],
  'refund.unconfirmed': [
    null,
    (order, shop, { details }, { links }) => [refundUnconfirmedEmail(order, shop, details, links.refund)],
  ],
  'delivery.failed': [
    'delivery_failed',
    (order, shop, _, { hasServer }) => [deliveryFailedEmail(order, shop, hasServer)],
  ],
  'delivery.uncertain': [
    'delivery_failed',
    (order, shop, _, { links }) => [deliveryUncertainEmail(order, shop, links.decideDelivery)],
  ],
};

/** The emails about orders with nothing to pay, which anybody can cause. */
const FREE_NOTICES: { readonly [Type in OrderEventType]?: NoticeKind } = {
  'order.paid': 'free_sale',
  'delivery.failed': 'free_delivery_failed',
  'delivery.uncertain': 'free_delivery_failed',
};

type EmailedEventType = OrderEventType | 'server.offline';

const ORDER_EVENTS = [...Object.keys(BUYER_EMAILS), ...Object.keys(NOTICES)] as OrderEventType[];

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
    this.subscribers.register('order-emails', ['server.offline', ...ORDER_EVENTS], (events, transaction) =>
      this.handle(events, transaction),
    );
  }

  /** Reads the shop, its orders and its owners once for all events, and adds all emails at once. */
  private async handle(events: ShopEventBatch<EmailedEventType>, transaction: Transaction): Promise<void> {
    if (this.emails.areOff) return;
    const [{ shopId }] = events;
    const shop = await this.shops.getIn(shopId, transaction);
    const ids = events.filter(isOfOrder).map(({ subjectId }) => subjectId);
    const orderOf = await this.orders.getAll(shopId, ids, transaction);
    const [additions, notices]: [EmailAddition[], OwnerNotice[]] = [[], []];
    for (const event of events) {
      if (!isOfOrder(event)) {
        notices.push(...(await this.serverNotices(event.subjectId, shop, transaction)));
        continue;
      }
      const order = orderOf(event.subjectId);
      // Only the receipt repeats what the buyer agreed to.
      const consents = event.type === 'order.paid' ? (order.consents ?? []) : [];
      const texts = consents.length === 0 ? [] : await this.shops.consentTextsOf(shopId, consents, transaction);
      additions.push(...this.toBuyer(event, order, shop, texts));
      notices.push(...(await this.orderNotices(event, order, shop, transaction)));
    }
    additions.push(...(await this.owners.emailsTo(shop, notices, transaction)));
    await this.emails.addAll(additions, transaction);
  }

  private toBuyer<Type extends OrderEventType>(
    event: ShopEvent<Type>,
    order: Order,
    shop: Shop,
    texts: readonly ConsentText[],
  ): EmailAddition[] {
    const content =
      BUYER_EMAILS[event.type]?.(order, shop, this.links.order(shop.uniqueName, order.id), event, texts) ?? null;
    if (content === null || order.email === null) return [];
    const email = shopEmail(order.email, shop, ofOrder(order, content, shop), order.id);
    return [{ email, cause: causeOf(order) }];
  }

  private async orderNotices<Type extends OrderEventType>(
    event: ShopEvent<Type>,
    order: Order,
    shop: Shop,
    transaction: Transaction,
  ): Promise<OwnerNotice[]> {
    const { email } = order;
    const isUnreached = event.type === 'order.paid' && failedUnpaid(order) && email !== null;
    const unreached = isUnreached ? [emailUndeliveredEmail(order, shop, email)] : [];
    const contents = [...unreached, ...(await this.noticesOf(event, order, shop, transaction))];
    return contents.map((content) => ({ orderId: order.id, content: ofOrder(order, content, shop) }));
  }

  /** The emails to owners of an event (`NOTICES`): none that is switched off or left to the next summary. */
  private async noticesOf<Type extends OrderEventType>(
    event: ShopEvent<Type>,
    order: Order,
    shop: Shop,
    transaction: Transaction,
  ): Promise<readonly EmailContent[]> {
    const notice = NOTICES[event.type];
    if (notice === undefined) return [];
    const [off, noticeOf] = notice;
    const setting = typeof off === 'function' ? off(order) : off;
    if (setting !== null && !shop.ownerEmails.includes(setting)) return [];
    const kind = isFreeCheckout(order) ? FREE_NOTICES[event.type] : undefined;
    if (kind !== undefined && !(await this.owners.takeFirst(shop.id, kind, shownNumber(order), transaction))) return [];
    const links = {
      resolve: this.links.operation('Orders', 'StaffOrders_resolve'),
      refund: this.links.operation('Payments', 'Refunds_create'),
      decideDelivery: this.links.operation('Orders', 'DeliveryDecisions_decide'),
    };
    const hasServer = event.type !== 'delivery.failed' || (await this.hasServer(order, transaction));
    return noticeOf(order, shop, event, { hasServer, links });
  }

  private async hasServer({ shopId, serverId }: Order, transaction: Transaction): Promise<boolean> {
    return serverId === null || (await this.servers.nameOf(shopId, serverId, transaction)) !== null;
  }

  private async serverNotices(serverId: string, shop: Shop, transaction: Transaction): Promise<OwnerNotice[]> {
    if (!shop.ownerEmails.includes('server_offline')) return [];
    const server = await this.servers.find(shop.id, serverId, transaction);
    // A server that was deleted since then is no news.
    if (server === null) return [];
    return [{ orderId: null, content: serverSilentEmail(server.name, problemOf(server)?.text ?? null, shop) }];
  }
}
