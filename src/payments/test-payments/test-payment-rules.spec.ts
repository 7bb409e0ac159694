import { describe, expect, it } from '@jest/globals';
import { PAYMENT_STATUSES, type PaymentStatus } from '../../orders/order/order.types.js';
import { amountOf, disputeOf, possibleActions, TEST_ACTION_NAMES, type TestAction } from './test-payment-rules.js';

const UNPAID: readonly TestAction[] = ['succeed', 'authorize', 'process', 'fail'];
const POSSIBLE: Partial<Record<PaymentStatus, readonly TestAction[]>> = {
  pending: UNPAID,
  processing: UNPAID,
  authorized: UNPAID,
  failed: UNPAID,
  paid: ['refund', 'dispute'],
  partially_refunded: ['refund', 'dispute'],
  disputed: ['win', 'lose'],
};

describe('A test payment', () => {
  it.each(PAYMENT_STATUSES)('offers the actions that are possible for an order that is %s', (paymentStatus) => {
    const possible = POSSIBLE[paymentStatus] ?? [];
    expect(possibleActions({ paymentStatus }, false)).toEqual(possible);
    const afterwards = possible.filter((name) => !UNPAID.includes(name));
    expect(possibleActions({ paymentStatus }, true)).toEqual(afterwards);
  });

  it('gives each dispute of a payment an id of its own, the same until it ends', () => {
    const opened = (paymentId: string) => ({ paymentId, type: 'dispute.opened' }) as const;
    const payments = [{ paymentId: 'pay_1', type: 'payment.succeeded' } as const, opened('pay_2')];
    expect(disputeOf('dispute', { payments }, 'pay_1')).toBe('dispute_1');
    payments.push(opened('pay_1'));
    expect(['win', 'lose'].map((end) => disputeOf(end as TestAction, { payments }, 'pay_1'))).toEqual([
      'dispute_1',
      'dispute_1',
    ]);
    expect(disputeOf('dispute', { payments }, 'pay_1')).toBe('dispute_2');
    expect(disputeOf('refund', { payments }, 'pay_1')).toBeNull();
  });

  it('uses the whole amount, and for a refund what is left of it', () => {
    const order = { totalMinor: 1999, reversals: [{ kind: 'refund', amountMinor: 499, at: new Date() }] } as const;
    for (const name of TEST_ACTION_NAMES) expect(amountOf(name, order)).toBe(name === 'refund' ? 1500 : 1999);
  });
});
