import { isErasedNickname } from '../../domain/buyers/erased-buyer.js';
import { type ReviewReason } from '../../domain/payments/payment-review.js';
import { formatMoney } from '../../lib/formats/formats.js';
import {
  type DisputeEventType,
  type PaymentDetails,
  type ShopEventDetails,
} from '../../events/shop-events/shop-event-details.js';
import { type EmailContent, type EmailFact } from '../../events/mail/email.types.js';
import { moneyHolder, shownNumber } from '../../orders/order/order-rules.js';
import { type EmailedOrder, itemsOf, type OrderShop, withdrawnFacts } from './buyer-emails.js';
import { NOT_PERMITTED } from '../../payments/providers/refund-requests.js';
import { ORDER_EMAIL_COPY } from './order-email-copy.js';

/** The notice to an owner of a sale, or of a payment for a cancelled order that must be refunded. */
export function saleEmail(order: EmailedOrder, shop: OrderShop): EmailContent {
  const copy = ORDER_EMAIL_COPY[shop.language];
  const amount = formatMoney(order.totalMinor, order.currency, shop.language);
  // Nothing else informs the owners that this money must go back.
  return order.status === 'cancelled'
    ? notice(copy.paidLate(amount), copy.paidLateBody(shop.displayName), order, shop, { isOptional: false })
    : notice(copy.sale(amount), copy.saleBody(shop.displayName), order, shop, { isOptional: true });
}

const DISPUTE_COPY = {
  'order.disputed': ['dispute', 'disputeBody', 'disputed'],
  'order.dispute_won': ['disputeWon', 'disputeWonBody', 'disputed'],
  'order.dispute_lost': ['chargedBack', 'chargedBackBody', 'lost'],
} as const satisfies Record<DisputeEventType, readonly string[]>;

/** What a dispute took when the shop keeps a part of the money: nothing is revoked then, and the owner must decide about the items. */
const PARTIAL_LOSS_COPY = ['chargedBack', 'chargedBackInPartBody', 'lost'] as const;

/**
 * The notice to an owner that a dispute was opened, won or lost.
 * @param payment with what was disputed or lost
 * @param isPartialLoss whether the dispute was lost, and the order has lost only a part of its money
 */
export function disputeEmail(
  type: DisputeEventType,
  order: EmailedOrder,
  shop: OrderShop,
  payment: PaymentDetails,
  isPartialLoss: boolean,
): EmailContent {
  const copy = ORDER_EMAIL_COPY[shop.language];
  const [subject, body, label] = isPartialLoss ? PARTIAL_LOSS_COPY : DISPUTE_COPY[type];
  const amount = formatMoney(payment.amountMinor, payment.currency, shop.language);
  const facts = [[copy[label], amount], ...paymentFacts(payment, shop)] as const;
  return notice(copy[subject](amount), copy[body](shop.displayName), order, shop, { facts, isOptional: true });
}

/** The notice to an owner that a refund did not reach the buyer. @param link how to request it again */
export function refundFailedEmail(
  order: EmailedOrder,
  shop: OrderShop,
  { reason, ...payment }: ShopEventDetails['refund.failed'],
  link: string,
): EmailContent {
  const copy = ORDER_EMAIL_COPY[shop.language];
  const amount = formatMoney(payment.amountMinor, payment.currency, shop.language);
  const cause = reason === null ? [] : [[copy.cause, reason === NOT_PERMITTED ? copy.notPermitted : reason] as const];
  const facts = [[copy.notRefunded, amount] as const, ...paymentFacts(payment, shop), ...cause];
  const extras = { actions: [{ link, label: copy.refund }], facts, isOptional: false };
  return notice(copy.refundFailed(amount), copy.refundFailedBody(shop.displayName), order, shop, extras);
}

/**
 * The notice to an owner that nobody knows whether a refund reaches the buyer. It must not have the owner refund again without a look
 * at the provider: the buyer could get the money twice.
 * @param link how to request a refund again, if the provider never got this one
 */
export function refundUnconfirmedEmail(
  order: EmailedOrder,
  shop: OrderShop,
  { refundId, ...payment }: ShopEventDetails['refund.unconfirmed'],
  link: string,
): EmailContent {
  const copy = ORDER_EMAIL_COPY[shop.language];
  const amount = formatMoney(payment.amountMinor, payment.currency, shop.language);
  const facts = [[copy.unconfirmed, amount] as const, ...paymentFacts(payment, shop)];
  if (refundId === null) {
    const extras = { actions: [{ link, label: copy.refund }], facts, isOptional: false };
    return notice(copy.refundUnconfirmed(amount), copy.refundUnconfirmedBody(shop.displayName), order, shop, extras);
  }
  const extras = { facts: [...facts, [copy.refundId, refundId] as const], isOptional: false };
  return notice(copy.refundPending(amount), copy.refundPendingBody(shop.displayName), order, shop, extras);
}

/** The notice to an owner that a buyer withdraws. It does not name the buyer: the order does. @param link how to refund */
export function withdrawalNoticeEmail(
  order: EmailedOrder,
  shop: OrderShop,
  { productIds }: ShopEventDetails['order.withdrawal_requested'],
  link: string,
): EmailContent {
  const copy = ORDER_EMAIL_COPY[shop.language];
  const facts = withdrawnFacts(order.items, productIds, shop.language);
  const extras = { actions: [{ link, label: copy.refund }], facts, isOptional: false };
  return notice(
    copy.buyerWithdraws(shownNumber(order)),
    copy.buyerWithdrawsBody(shop.displayName),
    order,
    shop,
    extras,
  );
}

/** Where an owner reads how to decide about an order, and how to refund it. */
export interface ReviewLinks {
  readonly resolve: string;
  readonly refund: string;
}

/** The notice to an owner that a person must look at the payments of an order, and why. */
export function reviewEmail(
  order: EmailedOrder,
  shop: OrderShop,
  reason: ReviewReason,
  links: ReviewLinks,
): EmailContent {
  const copy = ORDER_EMAIL_COPY[shop.language];
  const { subject, label } = reviewCopyOf(order, shop, reason);
  const amount = formatMoney(reason.amountMinor, reason.currency, shop.language);
  const facts = label === null ? [] : [[copy[label], amount] as const];
  const { body, actions } = reviewActionsOf(order, shop, reason, links);
  return notice(subject, body(shop.displayName), order, shop, { actions, facts, isOptional: false });
}

/** What an owner can do about a reason. A payment of the right amount cannot be rejected: it is accepted or refunded. */
function reviewActionsOf(
  { paidAt }: EmailedOrder,
  { language }: OrderShop,
  { code }: ReviewReason,
  links: ReviewLinks,
): { readonly body: (shop: string) => string; readonly actions: readonly Action[] } {
  const copy = ORDER_EMAIL_COPY[language];
  const accept = { link: links.resolve, label: copy.accept };
  const refund = { link: links.refund, label: copy.refund };
  const decide = { link: links.resolve, label: copy.decide };
  if (code === 'paid_twice') return { body: copy.paidTwiceBody, actions: [refund] };
  if (code === 'partial_loss') return { body: copy.partialLossBody, actions: [refund] };
  if (code === 'base_missing') return { body: copy.baseMissingBody, actions: [decide] };
  if (code === 'tier_lower') return { body: copy.tierLowerBody, actions: [decide] };
  if (code === 'upgrade_base_lost') return { body: copy.baseLostBody, actions: [refund] };
  if (code === 'too_many_events') return { body: copy.tooManyBody, actions: [accept] };
  return paidAt === null
    ? { body: copy.decideBody, actions: [decide] }
    : { body: copy.paidDecideBody, actions: [accept, refund] };
}

/** The subject of the notice, and what the amount of the reason is; null when it is only the total of the order. */
function reviewCopyOf(
  order: EmailedOrder,
  { language }: OrderShop,
  { code, amountMinor, currency }: ReviewReason,
): { readonly subject: string; readonly label: 'arrived' | 'surplus' | 'lost' | 'credited' | null } {
  const copy = ORDER_EMAIL_COPY[language];
  const amount = formatMoney(amountMinor, currency, language);
  const due = formatMoney(order.totalMinor, order.currency, language);
  switch (code) {
    case 'amount':
    case 'currency':
      if (order.review?.decision === 'reject') return { subject: copy.reviewRejected(amount), label: 'arrived' };
      return amountMinor === order.totalMinor && currency === order.currency
        ? { subject: copy.reviewContradiction(shownNumber(order)), label: 'arrived' }
        : { subject: copy.reviewAmount(amount, due), label: 'arrived' };
    case 'fraud_warning':
      return { subject: copy.reviewFraud(amount), label: null };
    case 'too_many_events':
      return { subject: copy.reviewTooMany(shownNumber(order)), label: null };
    case 'paid_twice':
      return { subject: copy.reviewPaidTwice(amount), label: 'surplus' };
    case 'partial_loss':
      return { subject: copy.reviewPartialLoss(amount, due), label: 'lost' };
    case 'base_missing':
      return { subject: copy.reviewBaseMissing(shownNumber(order)), label: 'credited' };
    case 'tier_lower':
      return { subject: copy.reviewTierLower(shownNumber(order)), label: 'arrived' };
    case 'upgrade_base_lost':
      return { subject: copy.reviewBaseLost(shownNumber(order)), label: 'credited' };
  }
}

function paymentFacts({ provider, paymentId }: PaymentDetails, { language }: OrderShop) {
  const copy = ORDER_EMAIL_COPY[language];
  return [
    [copy.provider, provider],
    [copy.payment, paymentId],
  ] as const;
}

/**
 * The notice to an owner that a delivery failed: that of a purchase, or the revocation after the money went back. Nothing can be done
 * about those of an erased buyer, except in the game.
 * @param hasServer whether the game server of the order still exists
 */
export function deliveryFailedEmail(order: EmailedOrder, shop: OrderShop, hasServer: boolean): EmailContent {
  const copy = ORDER_EMAIL_COPY[shop.language];
  if (isErasedNickname(order.nickname)) {
    return notice(copy.notRun(shownNumber(order)), copy.notRunBody(shop.displayName), order, shop, {
      isOptional: true,
    });
  }
  if (moneyHolder(order) === 'buyer') {
    const body = hasServer ? copy.revocationFailedBody : copy.revocationStrandedBody;
    return notice(copy.revocationFailed(shownNumber(order)), body(shop.displayName), order, shop, { isOptional: true });
  }
  const body = hasServer ? copy.deliveryFailedBody : copy.serverDeletedBody;
  return notice(copy.deliveryFailed(shownNumber(order)), body(shop.displayName), order, shop, { isOptional: true });
}

/** The notice to an owner that nobody knows whether a delivery was made. @param link how to decide about it */
export function deliveryUncertainEmail(order: EmailedOrder, shop: OrderShop, link: string): EmailContent {
  const copy = ORDER_EMAIL_COPY[shop.language];
  const extras = { actions: [{ link, label: copy.decide }], isOptional: true };
  return notice(
    copy.deliveryUncertain(shownNumber(order)),
    copy.deliveryUncertainBody(shop.displayName),
    order,
    shop,
    extras,
  );
}

/** The notice to an owner that an email did not reach the buyer of an order. @param address the buyer's */
export function emailUndeliveredEmail(order: EmailedOrder, shop: OrderShop, address: string): EmailContent {
  const copy = ORDER_EMAIL_COPY[shop.language];
  const facts = [{ name: copy.address, email: address }];
  return notice(copy.undelivered(shownNumber(order)), copy.undeliveredBody(shop.displayName), order, shop, {
    facts,
    isOptional: false,
  });
}

/** The notice to an owner that a game server has stopped reporting. @param problem what its plugin says about it; null: nothing */
export function serverSilentEmail(server: string, problem: string | null, shop: OrderShop): EmailContent {
  const copy = ORDER_EMAIL_COPY[shop.language];
  const said = problem === null ? [] : [{ text: `“${problem}”` }];
  return {
    subject: copy.silent(server),
    parts: [{ text: copy.silentBody(shop.displayName) }, ...said, { text: copy.off }],
  };
}

/** Where the owner reads how to act. */
interface Action {
  readonly link: string;
  readonly label: string;
}

interface NoticeExtras {
  readonly actions?: readonly Action[];
  readonly facts?: readonly EmailFact[];
  /** Whether the setting `ownerEmails` switches it off. */
  readonly isOptional: boolean;
}

function notice(
  subject: string,
  body: string,
  order: EmailedOrder,
  { language }: OrderShop,
  { actions = [], facts = [], isOptional }: NoticeExtras,
): EmailContent {
  const copy = ORDER_EMAIL_COPY[language];
  return {
    subject,
    parts: [
      { text: body },
      itemsOf(order, language, [{ name: copy.nickname, nickname: order.nickname }, ...facts]),
      ...actions,
      ...(isOptional ? [{ text: copy.off }] : []),
    ],
  };
}
