import { formatMoney, formatTime } from '../../lib/formats/formats.js';
import { isolated } from '../../lib/strings/characters.js';
import { type Language } from '../../lib/formats/languages.js';
import { type MinorUnits } from '../../lib/money/money.js';
import { type EmailContent, type EmailFact, type EmailPart } from '../../events/mail/email.types.js';
import { moneyHolder, shownNumber } from '../../orders/order/order-rules.js';
import { type Order } from '../../orders/order/order.types.js';
import { type ConsentText } from '../../shops/consents/consent.types.js';
import { type Shop } from '../../shops/shops/shop.types.js';
import { ORDER_EMAIL_COPY } from './order-email-copy.js';

/** What the emails show of an order. */
export type EmailedOrder = Pick<
  Order,
  | 'number'
  | 'origin'
  | 'status'
  | 'paymentStatus'
  | 'deliveryStatus'
  | 'nickname'
  | 'items'
  | 'discount'
  | 'totalMinor'
  | 'currency'
  | 'paidAt'
  | 'expiresAt'
  | 'review'
>;
export type OrderShop = Pick<Shop, 'displayName' | 'language' | 'timezone'>;
/** A shop as receipts name it. */
export type SellingShop = OrderShop & Pick<Shop, 'seller'>;

/** An order that is not paid yet. @param link the page of the order */
export function receivedEmail(order: EmailedOrder, shop: OrderShop, link: string): EmailContent {
  const copy = ORDER_EMAIL_COPY[shop.language];
  return {
    subject: copy.received(shop.displayName),
    parts: [
      { text: copy.receivedBody(order.nickname) },
      itemsOf(order, shop.language),
      { text: copy.payUntil(formatTime(order.expiresAt, shop.timezone, shop.language)) },
      { link, label: copy.pay },
    ],
  };
}

/** What happens next, by who has the money when the email is written. */
const NEXT = { shop: 'next', unclear: 'held', buyer: 'ended' } as const;

/** What happens next with a paid order. Nothing is delivered for one that was cancelled before, so it must promise nothing. */
function nextOf(order: EmailedOrder, { language }: OrderShop): EmailPart {
  const copy = ORDER_EMAIL_COPY[language];
  return { text: order.status === 'cancelled' ? copy.nothing : copy[NEXT[moneyHolder(order)]] };
}

/** Who sells, as far as the shop says it, and how prices relate to taxes. */
function sellerFacts({ displayName, language, seller }: SellingShop): EmailFact[] {
  const copy = ORDER_EMAIL_COPY[language];
  const { sellerName, address, vatId, taxNote } = seller;
  return [
    [copy.seller, sellerName ?? displayName],
    ...(address === null ? [] : [[copy.sellerAddress, address.replaceAll('\n', ', ')] as const]),
    ...(vatId === null ? [] : [[copy.vatId, vatId] as const]),
    ...(taxNote === null ? [] : [[copy.taxes, taxNote] as const]),
  ];
}

/** What the buyer agreed to, in full: the email is the copy that the buyer keeps (directive 2011/83/EU, article 8). */
function consentParts(
  { consents = [] }: Pick<Order, 'consents'>,
  { language, timezone }: OrderShop,
  texts: readonly ConsentText[],
): EmailPart[] {
  const copy = ORDER_EMAIL_COPY[language];
  return consents.flatMap(({ kind, version, at }) => {
    const agreed = texts.find((text) => text.kind === kind && text.version === version);
    if (agreed === undefined) return [];
    const { statement, text, url } = agreed;
    return [
      { text: copy.agreed(formatTime(at, timezone, language)) },
      ...[statement, ...(text ?? '').split(/\n{2,}/)].filter((part) => part !== '').map((part) => ({ text: part })),
      ...(url === null ? [] : [{ link: url, label: copy.terms }]),
    ];
  });
}

/** The receipt of a paid order. @param texts the wordings of its consents */
export function receiptEmail(
  order: EmailedOrder & Pick<Order, 'consents'>,
  shop: SellingShop,
  link: string,
  texts: readonly ConsentText[],
): EmailContent {
  const copy = ORDER_EMAIL_COPY[shop.language];
  const paidAt = formatTime(order.paidAt ?? new Date(), shop.timezone, shop.language);
  return {
    subject: copy.receipt(shop.displayName),
    parts: [
      { text: copy.receiptBody(order.nickname) },
      itemsOf(order, shop.language, [[copy.paidAt, paidAt], ...sellerFacts(shop)]),
      nextOf(order, shop),
      { link, label: copy.show },
      ...consentParts(order, shop, texts),
    ],
  };
}

/** The confirmation of a withdrawal, with what the buyer stated and when (directive 2011/83/EU, article 11a). */
export function withdrawalEmail(
  { number, items, withdrawal }: Pick<Order, 'number' | 'items' | 'withdrawal'>,
  shop: OrderShop,
  link: string,
): EmailContent {
  const copy = ORDER_EMAIL_COPY[shop.language];
  const { at = new Date(), name = null, productIds = [] } = withdrawal ?? {};
  return {
    subject: copy.withdrawal(shop.displayName),
    parts: [
      { text: copy.withdrawalBody },
      {
        facts: [
          [copy.order, shownNumber({ number })],
          ...withdrawnFacts(items, productIds, shop.language),
          [copy.withdrawalName, name ?? ''],
          [copy.withdrawalAt, formatTime(at, shop.timezone, shop.language)],
        ],
      },
      { text: copy.withdrawalNext },
      { link, label: copy.show },
    ],
  };
}

/** The items that a buyer withdraws from. */
export function withdrawnFacts(items: Order['items'], productIds: readonly string[], language: Language): EmailFact[] {
  const withdrawn = items.filter(({ productId }) => productIds.includes(productId));
  return withdrawn.map(({ quantity, name }) => [
    ORDER_EMAIL_COPY[language].withdrawn,
    `${quantity} × ${isolated(name)}`,
  ]);
}

/** An order that waits for a decision of staff about what arrived for it, or about a payment that they must check. */
export function underReviewEmail(order: EmailedOrder, shop: OrderShop, link: string): EmailContent {
  const copy = ORDER_EMAIL_COPY[shop.language];
  return {
    subject: copy.underReview(shop.displayName),
    parts: [
      { text: (order.paidAt === null ? copy.underReviewBody : copy.paidUnderReviewBody)(order.nickname) },
      itemsOf(order, shop.language),
      { text: copy.underReviewNext },
      { link, label: copy.show },
    ],
  };
}

/** A paid order whose payment staff have checked and accepted. */
export function checkedEmail(order: EmailedOrder, shop: OrderShop, link: string): EmailContent {
  const copy = ORDER_EMAIL_COPY[shop.language];
  return {
    subject: copy.checked(shop.displayName),
    parts: [
      { text: copy.checkedBody(order.nickname) },
      itemsOf(order, shop.language),
      nextOf(order, shop),
      { link, label: copy.show },
    ],
  };
}

/** An order whose payment staff rejected. Their reason is for the team: it can name what a buyer must not know, such as a fraud check. */
export function rejectedEmail(order: EmailedOrder, shop: OrderShop, link: string): EmailContent {
  const copy = ORDER_EMAIL_COPY[shop.language];
  return {
    subject: copy.rejected(shop.displayName),
    parts: [
      { text: copy.rejectedBody(order.nickname) },
      itemsOf(order, shop.language),
      { text: copy.rejectedNext },
      { link, label: copy.show },
    ],
  };
}

export function deliveredEmail(order: EmailedOrder, shop: OrderShop, link: string): EmailContent {
  const copy = ORDER_EMAIL_COPY[shop.language];
  const isGrant = order.origin === 'grant';
  const text = isGrant ? copy.grantedBody(order.nickname, shop.displayName) : copy.deliveredBody(order.nickname);
  return {
    subject: isGrant ? copy.granted(shop.displayName) : copy.delivered(shop.displayName),
    parts: [{ text }, itemsOf(order, shop.language), { link, label: copy.show }],
  };
}

/** An email about an order, marked when the order is a rehearsal. */
export function ofOrder(
  { origin }: Pick<EmailedOrder, 'origin'>,
  content: EmailContent,
  { language }: Pick<OrderShop, 'language'>,
): EmailContent {
  if (origin !== 'rehearsal') return content;
  const { rehearsal, rehearsalBody } = ORDER_EMAIL_COPY[language];
  return { subject: rehearsal(content.subject), parts: [{ text: rehearsalBody }, ...content.parts] };
}

/** @param refund what the buyer gets back now; a surplus can have another currency than the order */
export function refundedEmail(
  order: EmailedOrder,
  shop: OrderShop,
  link: string,
  refund: { readonly amountMinor: MinorUnits; readonly currency: string },
): EmailContent {
  const copy = ORDER_EMAIL_COPY[shop.language];
  return {
    subject: copy.refunded(shop.displayName),
    parts: [
      { text: copy.refundedBody(formatMoney(refund.amountMinor, refund.currency, shop.language)) },
      itemsOf(order, shop.language),
      { link, label: copy.show },
    ],
  };
}

/** The order as a table: its number, what was bought, and the sum. */
export function itemsOf(
  { number, items, discount, totalMinor, currency }: EmailedOrder,
  language: Language,
  more: readonly EmailFact[] = [],
): EmailPart {
  const copy = ORDER_EMAIL_COPY[language];
  const money = (minor: MinorUnits): string => formatMoney(minor, currency, language);
  return {
    facts: [
      [copy.order, shownNumber({ number })],
      ...items.map(({ quantity, name, totalMinor: sum }) => [`${quantity} × ${isolated(name)}`, money(sum)] as const),
      ...(discount === null ? [] : [[copy.discount(discount.code), money(-discount.amountMinor)] as const]),
      [copy.total, money(totalMinor)],
      ...more,
    ],
  };
}
