import { describe, expect, it } from '@jest/globals';
import { type BuyerOrder } from '../../orders/order/order.types.js';
import { erasureProblem } from './erasure-rules.js';

type States = [BuyerOrder['status'], BuyerOrder['paymentStatus'], BuyerOrder['deliveryStatus']];

const order = (...[status, paymentStatus, deliveryStatus, id = 'o1']: [...States, string?]): BuyerOrder => ({
  ...{ id, buyerKey: 'steve@example.com', nicknameKey: 'steve', email: 'steve@example.com' },
  ...{ status, paymentStatus, deliveryStatus },
});

describe('The erasure of a buyer', () => {
  it.each<States>([
    ['open', 'pending', 'none'],
    ['completed', 'processing', 'none'],
    ['completed', 'disputed', 'held'],
    ['completed', 'disputed', 'delivered'],
    ['cancelled', 'needs_review', 'none'],
    ['completed', 'paid', 'queued'],
    ['completed', 'paid', 'leased'],
    ['completed', 'paid', 'failed'],
    ['completed', 'partially_refunded', 'held'],
  ])('is rejected while an order is %s, %s and %s', (...states) => {
    expect(erasureProblem([order('completed', 'paid', 'delivered'), order(...states, 'o2')])).toBe(
      'Orders of the buyer are open, paid and not delivered, or their payment is undecided: o2. Deliver, cancel or refund them first',
    );
  });

  it.each<States>([
    ['completed', 'paid', 'delivered'],
    ['completed', 'paid', 'none'],
    ['completed', 'refunded', 'revoked'],
    ['completed', 'charged_back', 'delivered'],
    ['expired', 'pending', 'none'],
    ['cancelled', 'failed', 'none'],
  ])('is allowed when an order is %s, %s and %s', (...states) => {
    expect(erasureProblem([order(...states)])).toBeNull();
  });

  it('names at most five orders', () => {
    const orders = Array.from({ length: 7 }, (_, at) => order('open', 'pending', 'none', `o${at}`));
    expect(erasureProblem(orders)).toContain(': o0, o1, o2, o3, o4 and 2 more. Deliver');
  });
});
