import { type ErrorCode } from '../../platform/errors/error-catalogue.js';
import { moneyText, timeText } from '../../platform/templates/formats.js';
import { type Language } from '../../platform/templates/languages.js';
import { patternOf } from '../../platform/validation/nickname-rule.js';
import { RENAMABLE } from '../../orders/orders/order-transitions.js';
import { type DeliveryStatus, type Order } from '../../orders/orders/order.types.js';
import { isPayable } from '../../orders/orders/payability.js';
import { type Shop } from '../../shops/shops/shop.types.js';
import { type OrderPageTexts } from './order-page-texts.js';

/** The states in which a plugin has, or had, the goods. */
const BEGUN: readonly DeliveryStatus[] = ['leased', 'delivered', 'failed'];

/** What an order page shows. */
export interface OrderPageState {
  readonly order: Order;
  readonly shop: Shop;
  /** The names and titles of the ways to pay. */
  readonly methods: readonly { readonly name: string; readonly title: string }[];
  readonly now: Date;
}

function paymentText({ order, shop }: OrderPageState, language: Language, texts: OrderPageTexts): string {
  const { status, paymentStatus, paidAt } = order;
  switch (paymentStatus) {
    case 'pending':
    case 'failed':
      if (status === 'expired') return texts.orderExpired;
      if (status === 'cancelled') return texts.orderCancelled;
      return paymentStatus === 'failed' ? texts.paymentFailed : texts.paymentPending;
    case 'authorized':
      return texts.paymentAuthorized;
    case 'paid':
      return texts.paymentPaid(timeText(paidAt ?? order.createdAt, shop.timezone, language));
    case 'partially_refunded':
      return texts.paymentPartlyRefunded;
    case 'refunded':
      return texts.paymentRefunded;
    case 'disputed':
      return texts.paymentDisputed;
    case 'charged_back':
      return texts.paymentChargedBack;
    case 'needs_review':
      return texts.paymentReview;
  }
}

function goodsText({ status, paymentStatus, deliveryStatus }: Order, texts: OrderPageTexts): string {
  switch (deliveryStatus) {
    case 'none': {
      const mayStart = status === 'open' || paymentStatus === 'needs_review';
      return mayStart ? texts.goodsNone : texts.goodsNothing;
    }
    case 'queued':
      return texts.goodsQueued;
    case 'leased':
      return texts.goodsLeased;
    case 'delivered':
      return texts.goodsDelivered;
    case 'failed':
      return texts.goodsFailed;
    case 'revoked':
      return texts.goodsRevoked;
  }
}

/** The values of the template `pages/order`, without the addresses of its forms. */
export function orderPageView(state: OrderPageState, language: Language, texts: OrderPageTexts): object {
  const { order, shop, methods, now } = state;
  const money = (minor: number): string => moneyText(minor, order.currency, language);
  const { discount } = order;
  return {
    texts,
    id: order.id,
    placed: timeText(order.createdAt, shop.timezone, language),
    payment: paymentText(state, language, texts),
    goods: goodsText(order, texts),
    items: order.items.map(({ name, quantity, totalMinor }) => ({ name, quantity, total: money(totalMinor) })),
    discount: discount && { text: texts.discount(discount.code), amount: money(-discount.amountMinor) },
    total: money(order.totalMinor),
    payable: isPayable(order, now),
    hasFailed: order.paymentStatus === 'failed',
    payUntil: texts.payUntil(timeText(order.expiresAt, shop.timezone, language)),
    methods: methods.map(({ name, title }) => ({ name, label: texts.payWith(title) })),
    nicknameIs: texts.nicknameIs(order.nickname),
    renamable: (order.status === 'open' || order.status === 'completed') && RENAMABLE.includes(order.deliveryStatus),
    nicknameFixed: BEGUN.includes(order.deliveryStatus) ? texts.nicknameBegun : texts.nicknameIdle,
    pattern: patternOf(shop.nicknameRule),
    supportEmail: shop.supportEmail ?? '',
    help: shop.supportEmail === null ? texts.helpNone(shop.displayName) : texts.helpWrite(shop.displayName),
  };
}

/** What the page says about an error; undefined for an error that is not about what the buyer did. */
export function orderProblem(code: ErrorCode, texts: OrderPageTexts): string | undefined {
  const problems: Partial<Record<ErrorCode, string>> = {
    verification_code_invalid: texts.problemCode,
    attempts_exhausted: texts.problemTries,
    nickname_not_allowed: texts.problemName,
    nickname_locked: texts.problemFixed,
    validation_failed: texts.problemForm,
    provider_not_found: texts.problemMethod,
    order_not_payable: texts.problemPayable,
    provider_unavailable: texts.problemProvider,
    shop_not_found: texts.payNoMethod,
  };
  return problems[code];
}
