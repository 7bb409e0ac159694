import { describe, expect, it } from '@jest/globals';
import { paymentEvent } from '../../../test/support/payment-events.js';
import { aPayment } from '../../../test/support/payments.js';
import { DAY_MS } from '../../platform/time/durations.js';
import { type PaymentEventType } from '../../orders/order/payment-event.types.js';
import { hasEnded, isWatched, returnProblems } from './payment-rules.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const soon = new Date(NOW.getTime() + 1);

describe('hasEnded', () => {
  const payment = aPayment({ paymentId: 'pay-1', expiresAt: soon });
  const event = (type: PaymentEventType, changes: object = {}) => ({
    payments: [{ ...paymentEvent(type, 0), provider: payment.provider, paymentId: 'pay-1', ...changes }],
  });

  it('accepts an expired payment, and none whose expiry is not known yet', () => {
    expect(hasEnded(payment, { payments: [] }, NOW)).toBe(false);
    expect(hasEnded({ ...payment, expiresAt: NOW }, { payments: [] }, NOW)).toBe(true);
    expect(hasEnded({ ...payment, expiresAt: null }, { payments: [] }, NOW)).toBe(false);
  });

  it.each<[PaymentEventType, boolean]>([
    ['payment.failed', true],
    ['payment.canceled', true],
    ['payment.expired', true],
    ['payment.pending', false],
    ['payment.authorized', false],
  ])('returns for a payment after %s: %s', (type, ended) => {
    expect(hasEnded(payment, event(type), NOW)).toBe(ended);
  });

  it('ignores the end of another payment and of another provider', () => {
    expect(hasEnded(payment, event('payment.failed', { paymentId: 'pay-2' }), NOW)).toBe(false);
    expect(hasEnded(payment, event('payment.failed', { provider: 'other' }), NOW)).toBe(false);
  });
});

describe('isWatched', () => {
  const open = aPayment({ expiresAt: NOW });
  const said = (type: PaymentEventType, { paymentId } = open) => ({
    eventId: type,
    kind: type,
    payment: { ...paymentEvent(type, 0), paymentId, orderId: null },
  });
  const at = (ms: number): Date => new Date(NOW.getTime() + ms);

  it('accepts a payment until a week after its expiry', () => {
    expect([at(0), at(7 * DAY_MS - 1), at(7 * DAY_MS)].map((now) => isWatched(open, [], now))).toEqual([
      ...[true, true, false],
    ]);
  });

  it.each<[PaymentEventType, boolean]>([
    ['payment.succeeded', false],
    ['payment.failed', false],
    ['payment.canceled', false],
    ['payment.expired', false],
    ['payment.pending', true],
    ['payment.authorized', true],
    ['refund.pending', true],
  ])('returns after the report %s: %s', (type, isAsked) => {
    const others = [{ eventId: 'x', kind: 'x', payment: null }, said('payment.pending')];
    expect(isWatched(open, [...others, said(type)], NOW)).toBe(isAsked);
  });

  const tried = (type: PaymentEventType) => said(type, aPayment({ paymentId: 'an attempt' }));

  it.each<[PaymentEventType[], boolean, boolean]>([
    [['payment.failed'], true, false],
    [['payment.canceled', 'payment.failed'], true, false],
    [['payment.failed', 'payment.pending'], true, true],
    [['payment.failed', 'payment.succeeded'], false, false],
  ])('returns after attempts with %j, before the expiry: %s, and after it: %s', (types, now, later) => {
    expect(isWatched(open, types.map(tried), at(-1))).toBe(now);
    expect(isWatched(open, types.map(tried), NOW)).toBe(later);
  });
});

describe('returnProblems', () => {
  const HOME = 'https://shop.example.com';
  const problem = (name: string): string => `${name} must be an address on the front end of the shop, ${HOME}/...`;

  it('accepts absent addresses and any page of the front end', () => {
    expect(returnProblems({}, HOME)).toEqual([]);
    expect(returnProblems({ successUrl: `${HOME}/thanks?a=b#c`, cancelUrl: HOME }, HOME)).toEqual([]);
  });

  it.each([
    'https://shop.example.com.evil.example.com/',
    'https://shop.example.com@evil.example.com/',
    'https://shop.example.com:8443/',
    'http://shop.example.com/',
    '//shop.example.com/',
    '/thanks',
    'javascript:alert(1)',
  ])('rejects %s', (address) => {
    expect(returnProblems({ successUrl: address }, HOME)).toEqual([problem('successUrl')]);
    expect(returnProblems({ successUrl: address, cancelUrl: address }, HOME)).toHaveLength(2);
  });
});
