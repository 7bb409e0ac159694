import { describe, expect, it } from '@jest/globals';
import { type MoneyHolder } from '../../delivery/deliveries/delivery.types.js';
import { deliveryAfter, moneyHolder } from './order-rules.js';
import { DELIVERY_STATUSES, type DeliveryStatus, type PaymentStatus } from './order.types.js';

describe('moneyHolder', () => {
  it.each<[PaymentStatus, MoneyHolder]>([
    ['pending', 'unclear'],
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

  it.each(['delivered', 'failed'] as const)('does not change an order that is %s', (current) => {
    for (const payment of ['paid', 'refunded', 'charged_back'] as const) expect(after(current, payment)).toBe(current);
  });

  it('changes nothing before the order is paid', () => {
    for (const current of DELIVERY_STATUSES) {
      expect(deliveryAfter(current, { paymentStatus: 'needs_review', paidAt: null })).toBe(current);
    }
  });
});
