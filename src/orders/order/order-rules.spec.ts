import { describe, expect, it } from '@jest/globals';
import { type MoneyHolder } from '../../delivery/deliveries/delivery.types.js';
import { deliveryAfter, freePlace, moneyHolder } from './order-rules.js';
import { DELIVERY_STATUSES, type DeliveryStatus, type PaymentStatus } from './order.types.js';

describe('freePlace', () => {
  const places = (holder: string, ...numbers: number[]): { holder: string; number: number }[] =>
    numbers.map((number) => ({ holder, number }));

  it.each([
    ['the one that the random number names', [], 4, 0.5, 2],
    ['the next one when that is taken', places('a', 2), 4, 0.5, 3],
    ['the first one after the last', places('a', 2, 3), 4, 0.5, 0],
    ['whatever others have', places('b', 0, 1, 2, 3), 4, 0, 0],
    ['the only one that is left', places('a', 0, 1, 3), 4, 0.99, 2],
    ['none when all are taken', places('a', 0, 1, 2, 3), 4, 0, null],
    ['none when more are taken than the quota, which is lower now', places('a', 7, 8, 9), 2, 0, null],
    ['one below the quota when it is lower now', places('a', 7), 2, 0.9, 1],
  ])('is %s', (_, taken, quota, random, place) => {
    expect(freePlace('a', taken, quota, random)).toBe(place);
  });
});

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
  ])('of a completed order that is %s is: %s', (paymentStatus, holder) => {
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
    ['none', 'needs_review', 'revoked'],
    ['queued', 'paid', 'queued'],
    ['queued', 'disputed', 'revoked'],
    ['leased', 'paid', 'leased'],
    ['leased', 'refunded', 'revoked'],
    ['queued', 'charged_back', 'revoked'],
    ['revoked', 'paid', 'queued'],
    ['revoked', 'refunded', 'revoked'],
  ])('%s, when the payment is %s: %s', (current, payment, expected) => {
    expect(after(current, payment)).toBe(expected);
  });

  it.each(['delivered', 'failed'] as const)('does not change goods that are %s', (current) => {
    for (const payment of ['paid', 'refunded', 'charged_back'] as const) expect(after(current, payment)).toBe(current);
  });

  it('changes nothing before the order is paid', () => {
    for (const current of DELIVERY_STATUSES) {
      expect(deliveryAfter(current, { paymentStatus: 'needs_review', paidAt: null })).toBe(current);
    }
  });
});
