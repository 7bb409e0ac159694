import { describe, expect, it } from '@jest/globals';
import { paymentEvent } from '../../../test/support/payment-events.js';
import { orderVisit, storefrontFrame } from '../../../test/support/pages.js';
import { shopWith } from '../../../test/support/shops.js';
import { type ErrorCode } from '../../domain/errors/error-catalogue.js';
import { LANGUAGES } from '../../lib/formats/languages.js';
import { HOUR_MS, MINUTE_MS } from '../../lib/time/durations.js';
import { type DeliveryProgress, type Received } from '../../delivery/deliveries/delivery.types.js';
import { DELIVERY_STATUSES, type Order, PAYMENT_STATUSES } from '../../orders/order/order.types.js';
import { type PaymentEvent } from '../../orders/order/payment-event.types.js';
import { reviewOf } from '../../orders/settling/settlement-rules.js';
import { linesOf, type LineProgress } from '../../payments/buyer-orders/line-rules.js';
import { arrivalPictures, badgeOf } from './order-arrivals.js';
import { ORDER_PAGE_COPY } from './order-page-copy.js';
import { orderPageView, orderProblem } from './order-page-view.js';

const COPY = ORDER_PAGE_COPY.en;
const VIP = '655f1c2ab1e4a9d3f0c81251';
const NOW = new Date('2026-11-21T12:00:00Z');
const later = (ms: number): Date => new Date(NOW.getTime() + ms);
const UNTOUCHED: DeliveryProgress = { items: [], received: 'nothing', endedAttempt: null, isRenamable: true };

const SEEN = {
  deliveryStatus: 'none',
  lines: [],
  payment: null,
  server: null,
  right: { until: null, productIds: [] },
} as const;

function orderWith(fields: Partial<Order>): Order {
  return {
    id: '655f1c2ab1e4a9d3f0c81250',
    number: 1042,
    nickname: 'Steve_42',
    status: 'open',
    paymentStatus: 'pending',
    deliveryStatus: 'none',
    items: [{ productId: VIP, name: 'VIP rank', quantity: 2, totalMinor: 1998 }],
    discount: null,
    reversals: [],
    totalMinor: 1998,
    currency: 'EUR',
    createdAt: NOW,
    paidAt: null,
    expiresAt: later(1),
    ...fields,
  } as Order;
}

function view(
  fields: Partial<Order>,
  progress: Partial<DeliveryProgress> = {},
  sendsCodes = true,
): Record<string, unknown> {
  const state = {
    order: orderWith(fields),
    progress: { ...UNTOUCHED, ...progress },
    ...SEEN,
    shop: shopWith(),
    methods: [{ name: 'test', title: 'Test payment' }],
    sendsCodes,
    pictures: [],
    now: NOW,
    isOpen: false,
  };
  return orderPageView(state, 'en', COPY) as Record<string, unknown>;
}

describe('What an order page says', () => {
  it('describes the payment differently for every state', () => {
    const copy = PAYMENT_STATUSES.map((paymentStatus) => view({ paymentStatus, paidAt: NOW })['payment']);
    expect(new Set(copy).size).toBe(PAYMENT_STATUSES.length);
    expect(view({ status: 'expired' })['payment']).toBe(COPY.orderExpired);
    expect(view({ status: 'cancelled', paymentStatus: 'failed' })['payment']).toBe(COPY.orderCancelled);
  });

  const arrived = paymentEvent('payment.succeeded', 0, { amountMinor: 400 });
  const refund = (amountMinor: number): PaymentEvent => paymentEvent('refund.succeeded', 1, { amountMinor });
  it.each<[status: Order['status'], what: string, payments: PaymentEvent[], text: string]>([
    ['cancelled', 'nothing of it', [arrived], COPY.paymentRejected],
    ['expired', 'nothing of it', [arrived], COPY.paymentRejected],
    ['cancelled', 'a part of it', [arrived, refund(100)], COPY.paymentRejected],
    ['cancelled', 'all of it', [arrived, refund(400)], COPY.paymentReturned],
    ['expired', 'all of it', [arrived, refund(400)], COPY.paymentReturned],
  ])('says for an order that is %s with a rejected payment who has the money when %s went back', (...row) => {
    const [status, , payments, text] = row;
    const review = reviewOf('reject', payments, null);
    expect(view({ status, paymentStatus: 'failed', review, payments })['payment']).toBe(text);
  });

  it('shows each time in the time zone of the shop', () => {
    const [createdAt, paidAt, expiresAt] = [NOW, later(MINUTE_MS), later(HOUR_MS)];
    expect(view({ createdAt, paidAt, expiresAt, paymentStatus: 'paid' })).toMatchObject({
      placed: expect.stringContaining('13:00 CET'),
      payment: expect.stringContaining('13:01 CET'),
      payUntil: expect.stringContaining('14:00 CET'),
    });
  });

  it('describes the deliveries differently for every state', () => {
    const copy = DELIVERY_STATUSES.map((deliveryStatus) => view({ deliveryStatus })['delivery']);
    expect(new Set(copy).size).toBe(DELIVERY_STATUSES.length);
    expect(view({ status: 'expired' })['delivery']).toBe(COPY.deliveryNothing);
  });

  it('sends buyers to the shop for a new nickname when there are no codes, while it can be changed', () => {
    const byShop = { renamable: false, nicknameFixed: COPY.nicknameByShop };
    expect(view({}, {}, false)).toMatchObject(byShop);
    expect(view({}, {}, true)).toMatchObject({ renamable: true });
    expect(view({ deliveryStatus: 'delivered' }, {}, false)).toMatchObject({ nicknameFixed: COPY.nicknameBegun });
    expect(orderProblem('emails_off', COPY)).toBe(COPY.nicknameByShop);
  });

  it.each<[fields: Partial<Order>, text: string]>([
    [{ paymentStatus: 'pending' }, COPY.deliveryNotStarted],
    [{ paymentStatus: 'processing' }, COPY.deliveryUnconfirmed],
    [{ paymentStatus: 'authorized' }, COPY.deliveryUncollected],
    [{ paymentStatus: 'needs_review' }, COPY.deliveryUnchecked],
    [{ status: 'expired', paymentStatus: 'needs_review' }, COPY.deliveryUnchecked],
    [{ status: 'cancelled', paymentStatus: 'needs_review' }, COPY.deliveryNothing],
    [{ status: 'cancelled', paymentStatus: 'paid' }, COPY.deliveryNothing],
  ])('says for %j what the delivery waits for: %s', (fields, text) => {
    expect(view(fields)['delivery']).toBe(text);
  });

  it('says that what is leased waits for the game server when the lease is over, and lets nobody rename it', () => {
    const order = { status: 'completed', paymentStatus: 'paid', deliveryStatus: 'leased' } as const;
    expect(view(order)['delivery']).toBe(COPY.deliveryLeased);
    expect(view(order, { endedAttempt: 2, isRenamable: false })).toMatchObject({
      delivery: COPY.deliveryLeaseOver(2),
      renamable: false,
    });
  });

  const disputed = { status: 'completed', paymentStatus: 'disputed' } as const;
  const refunded = { status: 'completed', paymentStatus: 'refunded' } as const;
  it.each<[fields: Partial<Order>, received: Received, text: string]>([
    [{ ...disputed, deliveryStatus: 'held' }, 'nothing', COPY.deliveryHeld],
    [{ ...disputed, deliveryStatus: 'held' }, 'part', COPY.deliveryHeldInPart],
    [{ ...disputed, deliveryStatus: 'held' }, 'everything', COPY.deliveryHeld],
    [{ ...disputed, deliveryStatus: 'failed' }, 'nothing', COPY.deliveryFailed],
    [{ ...disputed, deliveryStatus: 'failed' }, 'part', COPY.deliveryFailedInPart],
    [{ ...refunded, deliveryStatus: 'failed' }, 'nothing', COPY.deliveryNotDelivered],
    [{ ...refunded, deliveryStatus: 'failed' }, 'everything', COPY.deliveryDelivered],
    [{ ...refunded, deliveryStatus: 'revoked' }, 'nothing', COPY.deliveryNotDelivered],
    [{ ...refunded, deliveryStatus: 'revoked' }, 'part', COPY.deliveryInPart],
    [{ ...refunded, deliveryStatus: 'revoked' }, 'revoked', COPY.deliveryRevoked],
  ])('describes the delivery of %j by what the player received (%s): %s', (fields, received, text) => {
    expect(view(fields, { received })['delivery']).toBe(text);
  });

  it.each<[fields: Partial<Order>, payable: boolean, renamable: boolean]>([
    [{}, true, true],
    [{ paymentStatus: 'failed' }, true, true],
    [{ expiresAt: NOW }, false, true],
    [{ status: 'completed', paymentStatus: 'paid', deliveryStatus: 'queued' }, false, true],
    [{ status: 'completed', paymentStatus: 'disputed', deliveryStatus: 'held' }, false, true],
    [{ status: 'completed', paymentStatus: 'paid', deliveryStatus: 'leased' }, false, false],
    [{ status: 'completed', paymentStatus: 'paid', deliveryStatus: 'delivered' }, false, false],
    [{ status: 'expired' }, false, false],
    [{ status: 'cancelled' }, false, false],
  ])('offers for %j to pay: %p, and another nickname: %p', (fields, payable, renamable) => {
    expect(view(fields)).toMatchObject({ payable, renamable });
  });

  it.each(['queued', 'held'] as const)('offers no other nickname for a delivery that is %s again', (deliveryStatus) => {
    const begun = view({ status: 'completed', deliveryStatus }, { isRenamable: false });
    expect(begun).toMatchObject({ renamable: false, nicknameFixed: COPY.nicknameBegun });
  });

  it.each<[fields: Partial<Order>, text: string]>([
    [{ deliveryStatus: 'leased' }, COPY.nicknameBegun],
    [{ deliveryStatus: 'delivered' }, COPY.nicknameBegun],
    [{ deliveryStatus: 'failed' }, COPY.nicknameBegun],
    [{ deliveryStatus: 'revoked' }, COPY.nicknameIdle],
    [{ status: 'expired' }, COPY.nicknameIdle],
    [{ status: 'cancelled' }, COPY.nicknameIdle],
  ])('says for %j why the nickname cannot change: %s', (fields, text) => {
    expect(view(fields, { isRenamable: false })).toMatchObject({ renamable: false, nicknameFixed: text });
  });

  it('shows the discount as an amount that is taken off', () => {
    const discount = { discountId: '1', code: 'SUMMER', amountMinor: 500 };
    expect(view({ discount })['discount']).toEqual({ text: 'Discount SUMMER', amount: '-€5.00' });
  });

  it('says what to do about every mistake of a buyer, and nothing about others', () => {
    const codes: ErrorCode[] = [
      'verification_code_invalid',
      'nickname_locked',
      'order_not_payable',
      'provider_unavailable',
    ];
    for (const language of LANGUAGES) {
      const copy = codes.map((code) => orderProblem(code, ORDER_PAGE_COPY[language]));
      expect(new Set(copy).size).toBe(codes.length);
      expect(orderProblem('internal_error', ORDER_PAGE_COPY[language])).toBeUndefined();
    }
  });

  it.each(LANGUAGES)('renders the page in %s for every state, with no value missing', (language) => {
    for (const paymentStatus of PAYMENT_STATUSES)
      for (const deliveryStatus of DELIVERY_STATUSES) {
        const copy = ORDER_PAGE_COPY[language];
        const order = orderWith({ paymentStatus, deliveryStatus });
        const { context } = orderVisit('655f1c2ab1e4a9d3f0c8125a', shopWith({ language }));
        const lines = linesOf(order, [], null, NOW);
        const values = orderPageView(
          {
            order,
            progress: UNTOUCHED,
            ...{ ...SEEN, lines },
            pictures: arrivalPictures(order, new Map(), storefrontFrame.displayOf(context)),
            shop: shopWith(),
            methods: [],
            sendsCodes: true,
            now: NOW,
            isOpen: false,
          },
          language,
          copy,
        );
        const more = { problem: '', notice: '', entered: '', actions: { pay: 'a', requestCode: 'b', rename: 'c' } };
        const { html } = storefrontFrame.render('order', context, { title: copy.title }, { ...values, ...more });
        expect(html).not.toMatch(/undefined|null|NaN|\[object|<%/);
        expect(html.includes('class="badge')).toBe(deliveryStatus !== 'none');
      }
  });
});

describe('What arrives', () => {
  const line = (fields: Partial<LineProgress>): LineProgress => ({
    ...{ state: 'queued', reason: null, deliveredAt: null, lastCallAt: null },
    ...fields,
  });

  it('has one word or two for each state, and says when it is the player who is waited for', () => {
    const texts = DELIVERY_STATUSES.map((state) => badgeOf(line({ state, deliveredAt: NOW }), COPY)?.text);
    expect(new Set(texts).size).toBe(DELIVERY_STATUSES.length);
    expect(badgeOf(line({ state: 'none' }), COPY)).toBeNull();
    expect(badgeOf(line({ reason: 'player_needed' }), COPY)).toEqual({ text: COPY.badgePlayer, tone: 'warn' });
    expect(badgeOf(line({ state: 'revoked' }), COPY)?.text).toBe(COPY.badgeNotDelivered);
  });

  it('has the picture of a product, and one of ours when it has none or is no longer for sale', () => {
    const [imageId, { items }] = ['a'.repeat(64), orderWith({})];
    const display = storefrontFrame.displayOf(orderVisit('655f1c2ab1e4a9d3f0c8125a', shopWith()).context);
    const urlWith = (products: [string, { imageIds: string[] }][]): string =>
      arrivalPictures({ items }, new Map(products), display)[0]?.picture.url ?? '';
    expect(urlWith([[VIP, { imageIds: [imageId] }]])).toMatch(new RegExp(`/${imageId}\\?w=320$`));
    expect(urlWith([[VIP, { imageIds: [] }]])).toMatch(/\.svg/);
    expect(urlWith([])).toMatch(/\.svg/);
  });

  it('is not shown before anything is to arrive', () => {
    expect(view({})['arrivals']).toEqual([]);
  });
});
