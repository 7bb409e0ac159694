import { describe, expect, it } from '@jest/globals';
import { type MoneyHolder } from '../../delivery/deliveries/delivery.types.js';
import { atMinute, paymentEvent } from '../../../test/support/payment-events.js';
import { awaitedUntil, backOf, deliveryAfter, keptOf, moneyHolder, moneyHolderOf } from './order-rules.js';
import { DELIVERY_STATUSES, type DeliveryStatus, PAYMENT_STATUSES, type PaymentStatus } from './order.types.js';

describe('awaitedUntil', () => {
  const payments = [
    paymentEvent('payment.processing', 0, { awaitedUntil: atMinute(5) }),
    paymentEvent('payment.authorized', 1, { awaitedUntil: atMinute(4) }),
    paymentEvent('refund.pending', 2),
  ];

  it('returns the latest limit of a provider while money is on its way', () => {
    expect(awaitedUntil({ paymentStatus: 'processing', payments })).toEqual(atMinute(5));
  });

  it('returns null in all other states', () => {
    const waiting = PAYMENT_STATUSES.filter((paymentStatus) => awaitedUntil({ paymentStatus, payments }) !== null);
    expect(waiting).toEqual(['processing', 'authorized']);
  });
});

describe('moneyHolder', () => {
  it.each<[PaymentStatus, MoneyHolder]>([
    ['pending', 'unclear'],
    ['processing', 'unclear'],
    ['authorized', 'unclear'],
    ['failed', 'unclear'],
    ['paid', 'shop'],
    ['partially_refunded', 'shop'],
    ['disputed', 'unclear'],
    ['needs_review', 'unclear'],
    ['refunded', 'buyer'],
    ['charged_back', 'buyer'],
  ])('returns for a completed order that is %s: %s', (paymentStatus, holder) => {
    expect(moneyHolder({ status: 'completed', paymentStatus })).toBe(holder);
    expect(moneyHolder({ status: 'cancelled', paymentStatus })).toBe('unclear');
  });
});

describe('moneyHolderOf', () => {
  it('leaves an item that a refund took back with the buyer, whatever becomes of the order', () => {
    for (const paymentStatus of PAYMENT_STATUSES) {
      const order = { status: 'completed', paymentStatus } as const;
      expect(moneyHolderOf(order, { takenBack: true })).toBe('buyer');
      expect(moneyHolderOf(order, {})).toBe(moneyHolder(order));
    }
  });
});

describe('backOf', () => {
  const items = (...refundedMinor: (number | undefined)[]): { netMinor: number; refundedMinor?: number }[] =>
    refundedMinor.map((minor, index) => ({
      netMinor: [1_000, 500, 0][index] ?? 0,
      ...(minor === undefined ? {} : { refundedMinor: minor }),
    }));

  it.each<[string, ReturnType<typeof items>, number, number[]]>([
    ['all alike, when no refund names an item', items(undefined, undefined), 300, [200, 100]],
    ['first what a refund names', items(undefined, 500), 300, [0, 300]],
    ['then the rest, by what is left of it', items(200, undefined), 1_000, [692, 308]],
    ['at most the price of an item', items(undefined, 900), 1_000, [500, 500]],
    ['nothing of what was free', items(undefined, undefined, 0), 1_500, [1_000, 500, 0]],
    ['more than everything, by the prices', items(1_000, 500), 1_800, [1_200, 600]],
  ])('splits what went back: %s', (_, of, amountMinor, expected) => {
    expect(backOf(of, amountMinor)).toEqual(expected);
  });

  it('leaves the rest of an order worth what was paid for it', () => {
    const reversals = [{ kind: 'refund', amountMinor: 500, at: new Date(0) }] as const;
    expect(keptOf({ origin: 'checkout', reversals, items: items(undefined, 500) })).toEqual([1_000, 0]);
    expect(keptOf({ origin: 'grant', reversals: [], items: items(undefined, undefined) })).toEqual([0, 0]);
  });
});

describe('deliveryAfter', () => {
  const paidAt = new Date(0);
  const after = (current: DeliveryStatus, paymentStatus: PaymentStatus): DeliveryStatus =>
    deliveryAfter(current, { paymentStatus, paidAt });

  it.each<[DeliveryStatus, PaymentStatus, DeliveryStatus]>([
    ['none', 'paid', 'queued'],
    ['none', 'partially_refunded', 'queued'],
    ['none', 'refunded', 'revoked'],
    ['none', 'needs_review', 'held'],
    ['queued', 'paid', 'queued'],
    ['queued', 'disputed', 'held'],
    ['queued', 'needs_review', 'held'],
    ['leased', 'paid', 'leased'],
    ['leased', 'disputed', 'held'],
    ['leased', 'refunded', 'revoked'],
    ['held', 'paid', 'queued'],
    ['held', 'charged_back', 'revoked'],
    ['queued', 'charged_back', 'revoked'],
    ['revoked', 'paid', 'queued'],
    ['revoked', 'refunded', 'revoked'],
    ['revoked', 'disputed', 'held'],
  ])('turns %s, when the payment is %s, into %s', (current, payment, expected) => {
    expect(after(current, payment)).toBe(expected);
  });

  it.each(['delivered', 'failed'] as const)('leaves the delivery status of an order that is %s', (current) => {
    for (const payment of ['paid', 'refunded', 'charged_back'] as const) expect(after(current, payment)).toBe(current);
  });

  it('changes nothing before the order is paid', () => {
    for (const current of DELIVERY_STATUSES) {
      expect(deliveryAfter(current, { paymentStatus: 'needs_review', paidAt: null })).toBe(current);
    }
  });
});
