import { describe, expect, it } from '@jest/globals';
import { atMinute, paymentEvent } from '../../../test/support/payment-events.js';
import { type PaymentEvent } from '../order/payment-event.types.js';
import { type AmountDue } from './currency-balances.js';
import { receivedPayments } from './received-payments.js';
import { reviewOf } from './settlement-rules.js';

const OWED: AmountDue = { totalMinor: 1_000, currency: 'EUR', review: null, createdAt: atMinute(0) };

const paid = paymentEvent('payment.succeeded', 5);
const again = paymentEvent('payment.succeeded', 6, { paymentId: 'pay_2' });
const third = paymentEvent('payment.succeeded', 7, { paymentId: 'pay_3' });
const refund = (amountMinor: number, paymentId = 'pay_1'): PaymentEvent =>
  paymentEvent('refund.succeeded', 7, { amountMinor, paymentId });

/** The id and the surplus of each payment. */
const surpluses = (amountDue: AmountDue, events: readonly PaymentEvent[]): [string, number][] =>
  receivedPayments(amountDue, events).map(({ paymentId, surplusMinor }) => [paymentId, surplusMinor]);

describe('receivedPayments', () => {
  it('shows what arrived and what went back, oldest first, and no payment that never arrived', () => {
    const disputes = [
      paymentEvent('dispute.lost', 8, { disputeId: 'dp_1', amountMinor: 300 }),
      paymentEvent('dispute.opened', 9, { disputeId: 'dp_2' }),
    ];
    const all = [again, ...disputes, refund(1, 'pay_9'), refund(400), paid];
    expect(receivedPayments(OWED, all)).toEqual([
      {
        ...{ provider: 'stripe', paymentId: 'pay_1', currency: 'EUR', receivedAt: atMinute(5), isDisputed: true },
        ...{ amountMinor: 1_000, refundedMinor: 400, chargedBackMinor: 300, surplusMinor: 0 },
      },
      {
        ...{ provider: 'stripe', paymentId: 'pay_2', currency: 'EUR', receivedAt: atMinute(6), isDisputed: false },
        ...{ amountMinor: 1_000, refundedMinor: 0, chargedBackMinor: 0, surplusMinor: 300 },
      },
    ]);
  });

  it.each<[string, PaymentEvent[], [string, number][]]>([
    ['the only payment', [paid], [['pay_1', 0]]],
    [
      'the second payment',
      [paid, again],
      [
        ['pay_1', 0],
        ['pay_2', 1_000],
      ],
    ],
    [
      'neither, when the first one was refunded',
      [paid, again, refund(1_000)],
      [
        ['pay_1', 0],
        ['pay_2', 0],
      ],
    ],
    [
      'the latest of three payments, when the first one was refunded',
      [paid, again, third, refund(1_000)],
      [
        ['pay_1', 0],
        ['pay_2', 0],
        ['pay_3', 1_000],
      ],
    ],
    [
      'the rest of the second payment',
      [paid, again, refund(400, 'pay_2')],
      [
        ['pay_1', 0],
        ['pay_2', 600],
      ],
    ],
    [
      'a payment in another currency',
      [paid, { ...again, currency: 'USD' }],
      [
        ['pay_1', 0],
        ['pay_2', 1_000],
      ],
    ],
    [
      'a wrong payment before the right one',
      [{ ...paid, amountMinor: 999 }, again],
      [
        ['pay_1', 999],
        ['pay_2', 0],
      ],
    ],
    ['nothing while staff have not decided', [{ ...paid, amountMinor: 999 }], [['pay_1', 0]]],
  ])('shows what is due to the buyer: %s', (_, events, expected) => {
    expect(surpluses(OWED, events)).toEqual(expected);
  });

  it('shows that all that was rejected is due to the buyer, and what was accepted is not', () => {
    const wrong = { ...paid, amountMinor: 1_500 };
    const decided = (decision: 'accept' | 'reject', ...later: PaymentEvent[]): [string, number][] => {
      const paidAt = decision === 'accept' ? atMinute(9) : null;
      return surpluses({ ...OWED, review: reviewOf(decision, [wrong], paidAt) }, [wrong, ...later]);
    };
    expect(decided('reject')).toEqual([['pay_1', 1_500]]);
    expect(decided('reject', refund(500))).toEqual([['pay_1', 1_000]]);
    expect(decided('accept')).toEqual([['pay_1', 500]]);
  });
});
