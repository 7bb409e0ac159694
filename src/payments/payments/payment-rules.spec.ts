import { describe, expect, it } from '@jest/globals';
import { paymentEvent } from '../../../test/support/payment-events.js';
import { aPayment } from '../../../test/support/payments.js';
import { DAY_MS } from '../../lib/time/durations.js';
import { type PaymentEventType } from '../../orders/order/payment-event.types.js';
import { hasEnded, isUsed, isWatched, returnProblems } from './payment-rules.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const soon = new Date(NOW.getTime() + 1);

describe('hasEnded', () => {
  const payment = aPayment({ paymentId: 'pay-1', expiresAt: soon });

  it('accepts an expired payment, and none whose expiry is not known yet', () => {
    expect(hasEnded(payment, [], NOW)).toBe(false);
    expect(hasEnded({ ...payment, expiresAt: NOW }, [], NOW)).toBe(true);
    expect(hasEnded({ ...payment, expiresAt: null }, [], NOW)).toBe(false);
  });

  it.each<[PaymentEventType, boolean, boolean]>([
    ['payment.failed', true, true],
    ['payment.canceled', true, true],
    ['payment.expired', true, true],
    ['payment.processing', false, true],
    ['payment.pending', false, false],
    ['payment.authorized', false, false],
  ])('returns for a payment after %s: %s; and nobody can pay with it any more: %s', (type, ended, used) => {
    for (const reports of [[type], ['payment.pending', type] as const]) {
      expect([hasEnded(payment, reports, NOW), isUsed(payment, reports, NOW)]).toEqual([ended, used]);
    }
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
    expect([at(0), at(7 * DAY_MS - 1), at(7 * DAY_MS)].map((now) => isWatched(open, [], now, 1))).toEqual([
      ...[true, true, false],
    ]);
  });

  it('accepts a payment for as long as its provider may need to confirm it', () => {
    expect([at(21 * DAY_MS - 1), at(21 * DAY_MS)].map((now) => isWatched(open, [], now, 21))).toEqual([true, false]);
  });

  it.each<[PaymentEventType, boolean]>([
    ['payment.succeeded', false],
    ['payment.failed', false],
    ['payment.canceled', false],
    ['payment.expired', false],
    ['payment.pending', true],
    ['payment.authorized', true],
    ['refund.pending', true],
  ])('returns after the report %s: %s', (type, isExpected) => {
    const others = [{ eventId: 'x', kind: 'x', payment: null }, said('payment.pending')];
    expect(isWatched(open, [...others, said(type)], NOW, 1)).toBe(isExpected);
  });

  it('ends with the checkout that the end of a payment names', () => {
    const { payment, ...event } = said('payment.failed', aPayment({ paymentId: 'a capture' }));
    const of = (checkoutId: string) => [{ ...event, payment: { ...payment, checkoutId } }];
    expect([of('pay-1'), of('pay-2')].map((events) => isWatched(open, events, at(-1), 1))).toEqual([false, true]);
  });

  const tried = (type: PaymentEventType) => said(type, aPayment({ paymentId: 'an attempt' }));

  it.each<[PaymentEventType[], boolean, boolean]>([
    [['payment.failed'], true, false],
    [['payment.canceled', 'payment.failed'], true, false],
    [['payment.failed', 'payment.pending'], true, true],
    [['payment.failed', 'payment.succeeded'], false, false],
  ])('returns after attempts with %j, before the expiry: %s, and after it: %s', (types, now, later) => {
    expect(isWatched(open, types.map(tried), at(-1), 1)).toBe(now);
    expect(isWatched(open, types.map(tried), NOW, 1)).toBe(later);
  });
});

describe('returnProblems', () => {
  const HOME = 'https://shop.example.com';
  const TARGETS = { frontEndUrl: HOME, origins: ['https://preview.example.com:8443'], allowLoopback: false };
  const problem = (name: string): string =>
    `${name} must be an address on the front end of the shop, ${HOME}/... or one of its origins`;

  it('accepts absent addresses and any page of the front end', () => {
    expect(returnProblems({}, TARGETS)).toEqual([]);
    expect(returnProblems({ successUrl: `${HOME}/thanks?a=b#c`, cancelUrl: HOME }, TARGETS)).toEqual([]);
    expect(returnProblems({ successUrl: 'https://preview.example.com:8443/thanks' }, TARGETS)).toEqual([]);
  });

  it('accepts a page of the computer of a developer only where that is allowed', () => {
    const addresses = { successUrl: 'http://localhost:5173/thanks' };
    expect(returnProblems(addresses, { ...TARGETS, allowLoopback: true })).toEqual([]);
    expect(returnProblems(addresses, TARGETS)).toEqual([problem('successUrl')]);
  });

  it.each([
    'https://shop.example.com.evil.example.com/',
    'https://shop.example.com@evil.example.com/',
    'https://shop.example.com:8443/',
    'http://shop.example.com/',
    '//shop.example.com/',
    '/thanks',
    'javascript:alert(1)',
    `blob:${HOME}/x`,
    'https://preview.example.com/',
  ])('rejects %s', (address) => {
    expect(returnProblems({ successUrl: address }, TARGETS)).toEqual([problem('successUrl')]);
    expect(returnProblems({ successUrl: address, cancelUrl: address }, TARGETS)).toHaveLength(2);
  });
});
