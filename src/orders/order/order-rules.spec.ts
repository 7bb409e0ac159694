import { describe, expect, it } from '@jest/globals';
import { type MoneyHolder } from '../../delivery/deliveries/delivery.types.js';
import { atMinute, paymentEvent } from '../../../test/support/payment-events.js';
import { awaitedUntil, deliveryAfter, moneyHolder } from './order-rules.js';
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
