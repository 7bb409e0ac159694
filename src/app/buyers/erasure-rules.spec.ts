import { describe, expect, it } from '@jest/globals';
import { type BuyerOrder } from '../../orders/order/order.types.js';
import { erasureProblem, runningProblem, unstartedOrders } from './erasure-rules.js';

type States = [BuyerOrder['status'], BuyerOrder['paymentStatus'], BuyerOrder['deliveryStatus']];

const order = (...[status, paymentStatus, deliveryStatus, number = 1]: [...States, number?]): BuyerOrder => ({
  ...{ id: `o${number}`, number, buyerKey: 'steve@example.com', nicknameKey: 'steve', email: 'steve@example.com' },
  ...{ status, paymentStatus, deliveryStatus, items: [{ name: 'VIP' }, { name: 'Pet' }] },
});
const NONE = new Set<string>();
const OPEN = order('open', 'pending', 'none');

describe('The erasure of a buyer', () => {
  it.each<States>([
    ['open', 'failed', 'none'],
    ['open', 'processing', 'none'],
    ['completed', 'processing', 'none'],
    ['completed', 'disputed', 'held'],
    ['completed', 'disputed', 'delivered'],
    ['cancelled', 'needs_review', 'none'],
    ['completed', 'paid', 'queued'],
    ['completed', 'paid', 'leased'],
    ['completed', 'paid', 'failed'],
    ['completed', 'partially_refunded', 'held'],
  ])('is rejected while an order is %s, %s and %s', (...states) => {
    const orders = [order('completed', 'paid', 'delivered'), order(...states, 2)];
    expect(erasureProblem(orders, NONE)).toBe(
      'Orders of the buyer are being paid, are paid and not delivered, or their payment is undecided: #2. Deliver, cancel or refund them first',
    );
    expect(unstartedOrders(orders, NONE)).toEqual([]);
  });

  it.each<States>([
    ['completed', 'paid', 'delivered'],
    ['completed', 'paid', 'none'],
    ['completed', 'refunded', 'revoked'],
    ['completed', 'charged_back', 'delivered'],
    ['expired', 'pending', 'none'],
    ['cancelled', 'failed', 'none'],
  ])('is allowed when an order is %s, %s and %s, and leaves it as it is', (...states) => {
    expect([erasureProblem([order(...states)], NONE), unstartedOrders([order(...states)], NONE)]).toEqual([null, []]);
  });

  it('is allowed when an order is open, which ends with it, unless its payment was started', () => {
    expect([erasureProblem([OPEN], NONE), unstartedOrders([OPEN], NONE)]).toEqual([null, [OPEN]]);
    const started = new Set([OPEN.id]);
    expect(erasureProblem([OPEN], started)).toContain(': #1. Deliver');
    expect(unstartedOrders([OPEN], started)).toEqual([]);
  });

  it('names at most five orders', () => {
    const orders = Array.from({ length: 7 }, (_, at) => order('open', 'processing', 'none', at));
    expect(erasureProblem(orders, NONE)).toContain(': #0, #1, #2, #3, #4 and 2 more. Deliver');
  });
});

describe('What is still to run for items of a buyer', () => {
  const none = { expiresAt: null, isRevoking: false, revocableUntil: null };
  const later = new Date('2027-05-27T12:00:00.000Z');

  it('is listed with what is ahead of each item, and with how the owner decides', () => {
    const running = [
      { orderId: 'o1', position: 0, ...none, expiresAt: new Date('2026-12-28T12:00:00.000Z'), revocableUntil: later },
      { orderId: 'o1', position: 1, ...none, isRevoking: true, revocableUntil: later },
      { orderId: 'o2', position: 0, ...none },
    ];
    const orders = [order('completed', 'paid', 'delivered', 1), order('completed', 'paid', 'delivered', 2)];
    expect(runningProblem(orders, running)).toBe(
      'Something is still to run for items of the buyer: VIP of order #1 (ends on 2026-12-28, may be revoked until 2027-05-27), ' +
        'Pet of order #1 (is being revoked), VIP of order #2 (is being delivered again). Send running with keep, so that it keeps the ' +
        'nickname until it has run, or with drop, so that it does not run',
    );
    expect(runningProblem(orders, [])).toBeNull();
  });

  it('is listed for at most 20 items', () => {
    const running = Array.from({ length: 22 }, () => ({ orderId: 'o1', position: 0, ...none }));
    expect(runningProblem([order('completed', 'paid', 'delivered')], running)).toContain(' and 2 more. Send running');
  });
});
