import { type ErrorCode } from '../../domain/errors/error-catalogue.js';
import { formatMoney, formatTime } from '../../lib/formats/formats.js';
import { type Language } from '../../lib/formats/languages.js';
import { patternOf } from '../../domain/buyers/nickname-rule.js';
import { type Received } from '../../delivery/deliveries/delivery.types.js';
import { isSale, moneyHolder, shownNumber } from '../../orders/order/order-rules.js';
import { RENAMABLE } from '../../orders/order/order-transitions.js';
import { type Order } from '../../orders/order/order.types.js';
import { isPayable } from '../../orders/order/payability.js';
import { receivedPayments } from '../../orders/settling/received-payments.js';
import { type BuyerOrder } from '../../payments/buyer-orders/buyer-orders.service.js';
import { type LineProgress } from '../../payments/buyer-orders/line-rules.js';
import { type Shop } from '../../shops/shops/shop.types.js';
import { type ArrivalPicture, badgeOf } from './order-arrivals.js';
import { type OrderPageCopy } from './order-page-copy.js';
import { isFollowed, stageOf, stageView, stepsOf } from './order-stage.js';

/** What an order page shows. */
export interface OrderPageState extends BuyerOrder {
  /** The names and titles of the ways to pay. */
  readonly methods: readonly { readonly name: string; readonly title: string }[];
  /** Whether buyers can request codes by email. */
  readonly sendsCodes: boolean;
  readonly now: Date;
  /** One for each item. */
  readonly pictures: readonly ArrivalPicture[];
  /** Whether the reader has opened the form of the nickname, or a mistake in it is shown. */
  readonly isOpen: boolean;
}

/** A payment that staff rejected is due to the buyer until all of it has gone back, however the order ended. */
function rejectedText(order: Order, copy: OrderPageCopy): string {
  const isDue = receivedPayments(order, order.payments).some(({ surplusMinor }) => surplusMinor > 0);
  return isDue ? copy.paymentRejected : copy.paymentReturned;
}

function paymentText({ order, shop }: OrderPageState, language: Language, copy: OrderPageCopy): string {
  const { status, paymentStatus, paidAt, review } = order;
  switch (paymentStatus) {
    case 'pending':
    case 'failed':
      if (review?.decision === 'reject') return rejectedText(order, copy);
      if (status === 'expired') return copy.orderExpired;
      if (status === 'cancelled') return copy.orderCancelled;
      return paymentStatus === 'failed' ? copy.paymentFailed : copy.paymentPending;
    case 'processing':
      return status === 'cancelled' ? copy.orderCancelled : copy.paymentProcessing;
    case 'authorized':
      return copy.paymentAuthorized;
    case 'paid':
      if (!isSale(order)) return copy.paymentNone;
      return copy.paymentPaid(formatTime(paidAt ?? order.createdAt, shop.timezone, language));
    case 'partially_refunded':
      return copy.paymentPartlyRefunded;
    case 'refunded':
      return copy.paymentRefunded;
    case 'disputed':
      return copy.paymentDisputed;
    case 'charged_back':
      return copy.paymentChargedBack;
    case 'needs_review':
      return copy.paymentReview;
  }
}

function deliveryText({ order, progress: { received, endedAttempt } }: OrderPageState, copy: OrderPageCopy): string {
  const { status, paymentStatus, deliveryStatus } = order;
  switch (deliveryStatus) {
    case 'none':
      if (status === 'cancelled') return copy.deliveryNothing;
      if (paymentStatus === 'needs_review') return copy.deliveryUnchecked;
      if (paymentStatus === 'processing') return copy.deliveryUnconfirmed;
      if (paymentStatus === 'authorized') return copy.deliveryUncollected;
      return status === 'open' ? copy.deliveryNotStarted : copy.deliveryNothing;
    case 'queued':
      return copy.deliveryQueued;
    case 'leased':
      return endedAttempt === null ? copy.deliveryLeased : copy.deliveryLeaseOver(endedAttempt);
    case 'delivered':
      return copy.deliveryDelivered;
    case 'handed_over':
      return copy.deliveryHandedOver;
    case 'uncertain':
      return copy.deliveryUncertain;
    case 'held':
      return received === 'part' ? copy.deliveryHeldInPart : copy.deliveryHeld;
    case 'failed':
      // Nobody delivers it again: the buyer has the money.
      if (moneyHolder(order) === 'buyer') return endedText(received, copy);
      return received === 'part' ? copy.deliveryFailedInPart : copy.deliveryFailed;
    case 'revoked':
      return endedText(received, copy);
  }
}

/** How far the delivery of an order came whose money went back. */
function endedText(received: Received, copy: OrderPageCopy): string {
  switch (received) {
    case 'nothing':
      return copy.deliveryNotDelivered;
    case 'part':
      return copy.deliveryInPart;
    case 'everything':
      return copy.deliveryDelivered;
    case 'revoked':
      return copy.deliveryRevoked;
  }
}

/** What the page says of one line beside the delivery of the whole order; an empty string when the latter says everything. */
function lineText(
  line: LineProgress | undefined,
  { shop }: OrderPageState,
  language: Language,
  copy: OrderPageCopy,
): string {
  if (line === undefined) return '';
  switch (line.state) {
    case 'none':
      return '';
    case 'queued':
      return queuedText(line, copy);
    case 'leased':
      return copy.deliveryLeased;
    case 'delivered':
      return line.deliveredAt === null
        ? copy.deliveryDelivered
        : copy.lineDelivered(formatTime(line.deliveredAt, shop.timezone, language));
    case 'handed_over':
      return line.deliveredAt === null
        ? copy.deliveryHandedOver
        : copy.lineHandedOver(formatTime(line.deliveredAt, shop.timezone, language));
    case 'uncertain':
      return copy.lineUncertain;
    case 'held':
      return copy.deliveryHeld;
    case 'failed':
      return copy.lineFailed;
    case 'revoked':
      return line.deliveredAt === null ? copy.deliveryNotDelivered : copy.deliveryRevoked;
  }
}

function queuedText({ reason }: LineProgress, copy: OrderPageCopy): string {
  if (reason === 'server_silent') return copy.lineServerSilent;
  if (reason === 'player_needed') return copy.linePlayerNeeded;
  return copy.lineQueued;
}

/** What the page says about the withdrawal, and whether it leads to the form; null: nothing. */
function withdrawalOf(
  { order: { withdrawal }, right, shop }: OrderPageState,
  language: Language,
  copy: OrderPageCopy,
): { readonly text: string; readonly isPossible: boolean } | null {
  const at = (time: Date): string => formatTime(time, shop.timezone, language);
  if (withdrawal !== undefined) return { text: copy.withdrawnAt(at(withdrawal.at)), isPossible: false };
  return right.until === null ? null : { text: copy.withdrawalUntil(at(right.until)), isPossible: true };
}

/** Who sells, one line each. */
function sellerOf({ displayName, seller: { sellerName, address, vatId } }: Shop): readonly string[] {
  return [sellerName ?? displayName, ...(address ?? '').split('\n'), vatId ?? ''].filter((line) => line !== '');
}

/** The values of the template `pages/order`, without the addresses of its forms. */
export function orderPageView(state: OrderPageState, language: Language, copy: OrderPageCopy): object {
  const { order, progress, lines, payment, server, shop, methods, sendsCodes, now, isOpen } = state;
  const money = (minor: number): string => formatMoney(minor, order.currency, language);
  const { discount } = order;
  const refunds = order.reversals.map(({ kind, amountMinor, at }) => ({
    text: copy[kind](formatTime(at, shop.timezone, language)),
    amount: money(-amountMinor),
  }));
  const isActive = order.status === 'open' || order.status === 'completed';
  const stage = stageOf({ ...order, deliveryStatus: state.deliveryStatus }, lines, now);
  const [paymentNow, delivery] = [paymentText(state, language, copy), deliveryText(state, copy)];
  const canChange = isActive && RENAMABLE.includes(order.deliveryStatus) && progress.isRenamable;
  return {
    words: copy,
    number: shownNumber(order),
    rehearsal: order.origin === 'rehearsal',
    placed: formatTime(order.createdAt, shop.timezone, language),
    payment: paymentNow,
    delivery,
    stage: stageView(stage, order.nickname, delivery, language),
    steps: stepsOf(stage, { payment: paymentNow, delivery }, refunds),
    // A page that loads itself again would empty the form.
    follows: isFollowed(stage) && !isOpen && !isPayable(order, now),
    isOpen,
    join: server?.address == null || !isFollowed(stage) ? null : { name: server.name, address: server.address },
    server: server && { name: server.name, address: server.address ?? '' },
    method: payment?.title ?? '',
    items: order.items.map(({ name, quantity, totalMinor }) => ({ name, quantity, total: money(totalMinor) })),
    arrivals: arrivalsOf(state, language, copy),
    refunds,
    discount: discount && { text: copy.discount(discount.code), amount: money(-discount.amountMinor) },
    total: money(order.totalMinor),
    withdrawal: withdrawalOf(state, language, copy),
    seller: sellerOf(shop),
    taxNote: shop.seller.taxNote ?? '',
    payable: isPayable(order, now),
    isProcessing: order.paymentStatus === 'processing',
    hasFailed: order.paymentStatus === 'failed',
    payUntil: copy.payUntil(formatTime(order.expiresAt, shop.timezone, language)),
    methods: methods.map(({ name, title }) => ({
      name,
      label: order.paymentStatus === 'processing' ? copy.payTwiceWith(title) : copy.payWith(title),
    })),
    nicknameIs: copy.nicknameIs(order.nickname),
    renamable: canChange && sendsCodes,
    nicknameFixed: canChange ? copy.nicknameByShop : fixedText(order, copy),
    // Inside a larger pattern, which allows pasted spaces around it.
    pattern: patternOf(shop.nicknameRule).slice('^'.length, -'$'.length),
    supportEmail: shop.supportEmail ?? '',
    help: shop.supportEmail === null ? copy.helpNone(shop.displayName) : copy.helpWrite(shop.displayName),
  };
}

/** What arrives, and how far it has come; empty while nothing is to arrive. */
function arrivalsOf(state: OrderPageState, language: Language, copy: OrderPageCopy): readonly object[] {
  const { order, lines, pictures } = state;
  const arrivals = order.items.map(({ name, quantity }, position) => ({
    ...{ name, quantity, ...pictures[position] },
    badge: badgeOf(lines[position], copy),
    text: lineText(lines[position], state, language, copy),
  }));
  return arrivals.some(({ badge }) => badge !== null) ? arrivals : [];
}

/** Why nobody can change the nickname. */
function fixedText({ deliveryStatus }: Order, copy: OrderPageCopy): string {
  return ['none', 'revoked'].includes(deliveryStatus) ? copy.nicknameIdle : copy.nicknameBegun;
}

/** What the page says about an error; undefined for an error that is not about what the buyer did. */
export function orderProblem(code: ErrorCode, copy: OrderPageCopy): string | undefined {
  const problems: Partial<Record<ErrorCode, string>> = {
    verification_code_invalid: copy.problemCode,
    attempts_exhausted: copy.problemAttempts,
    nickname_not_allowed: copy.problemName,
    nickname_locked: copy.problemFixed,
    emails_off: copy.nicknameByShop,
    validation_failed: copy.problemForm,
    provider_not_found: copy.problemMethod,
    amount_not_chargeable: copy.problemAmount,
    order_not_payable: copy.problemPayable,
    payment_processing: copy.payTwice,
    provider_unavailable: copy.problemProvider,
    provider_credentials_rejected: copy.problemCredentials,
    provider_refused: copy.problemCredentials,
    shop_not_found: copy.payNoMethod,
  };
  return problems[code];
}
