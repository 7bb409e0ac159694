import { describe, expect, it } from '@jest/globals';
import { atMinute, paymentEvent } from '../../../test/support/payment-events.js';
import { type PaymentEvent } from '../order/payment-event.types.js';
import { type AmountDue } from './currency-balances.js';
import { messageOf, newReasons, reviewReasons } from './review-reasons.js';
import { reviewOf, settle } from './settlement-rules.js';

const OWED: AmountDue = { totalMinor: 1_000, currency: 'EUR', review: null, createdAt: atMinute(0) };

const paid = paymentEvent('payment.succeeded', 5);
const again = paymentEvent('payment.succeeded', 6, { paymentId: 'pay_2' });
const tooLittle = { ...paid, amountMinor: 999 };
const warning = paymentEvent('fraud.warning', 6);
const refund = (amountMinor: number, fields: Partial<PaymentEvent> = {}): PaymentEvent =>
  paymentEvent('refund.succeeded', 7, { amountMinor, ...fields });
const lost = (amountMinor: number, fields: Partial<PaymentEvent> = {}): PaymentEvent =>
  paymentEvent('dispute.lost', 7, { disputeId: 'dp_1', amountMinor, ...fields });
const many = (count: number): PaymentEvent[] => Array.from({ length: count }, () => refund(1));

describe('reviewReasons', () => {
  it.each<[string, PaymentEvent[], string[]]>([
    ['nothing', [], []],
    ['the payment', [paid], []],
    ['a failed attempt', [paymentEvent('payment.failed', 1)], []],
    ['too little', [tooLittle], ['amount 999 EUR: 9.99 EUR arrived, 10.00 EUR was due']],
    ['too much', [{ ...paid, amountMinor: 99_900 }], ['amount 99900 EUR: 999.00 EUR arrived, 10.00 EUR was due']],
    [
      'too little, and another currency',
      [tooLittle, { ...again, currency: 'USD' }],
      [
        'amount 999 EUR: 9.99 EUR arrived, 10.00 EUR was due',
        'currency 1000 USD: 10.00 USD arrived, 10.00 EUR was due',
      ],
    ],
    ['a fraud warning', [paid, warning], ['fraud_warning 1000 EUR: The payment provider suspects fraud']],
    ['a fraud warning, and all refunded', [paid, warning, refund(1_000)], []],
    [
      'two amounts of one payment',
      [paid, { ...tooLittle, eventId: 'other' }],
      ['amount 999 EUR: The reports about a payment of 9.99 EUR contradict each other'],
    ],
    [
      'a refund of a payment that never arrived',
      [paid, refund(1, { paymentId: 'pay_9' })],
      ['amount 0 EUR: The reports about a payment that never arrived contradict each other'],
    ],
    [
      'too many refunds',
      [paid, ...many(101)],
      ['too_many_events 1000 EUR: The order has more than 10 payments, or more than 100 refunds and disputes'],
    ],
    [
      'two payments',
      [paid, again],
      ['paid_twice 1000 EUR: 20.00 EUR arrived, 10.00 EUR was due; 10.00 EUR can be refunded'],
    ],
    [
      'two payments, and a part of the second refunded',
      [paid, again, refund(400, { paymentId: 'pay_2' })],
      ['paid_twice 600 EUR: 20.00 EUR arrived, 10.00 EUR was due; 6.00 EUR can be refunded'],
    ],
    ['two payments, one refunded', [paid, again, refund(1_000)], []],
    [
      'a second payment in another currency',
      [paid, { ...again, currency: 'USD' }],
      ['paid_twice 1000 USD: 10.00 USD arrived, nothing in USD was due; 10.00 USD can be refunded'],
    ],
    [
      'a dispute lost in part',
      [paid, lost(400)],
      ['partial_loss 400 EUR: 4.00 EUR of 10.00 EUR was lost in a dispute; nothing was revoked'],
    ],
    ['a dispute lost in part, and the rest refunded', [paid, lost(400), refund(600)], []],
    ['a lost dispute', [paid, lost(1_000)], []],
    ['a lost dispute of the surplus', [paid, again, lost(1_000)], []],
  ])('returns what a person has to know about %s', (_, events, reasons) => {
    const shown = (some: readonly PaymentEvent[]): string[] =>
      reviewReasons(OWED, some).map(
        ({ code, amountMinor, currency, message }) => `${code} ${amountMinor} ${currency}: ${message}`,
      );
    expect(shown(events)).toEqual(reasons);
    expect(shown([...events].reverse())).toEqual(reasons);
    // An order that needs a review says why.
    if (settle(OWED, events).paymentStatus === 'needs_review') expect(reasons).not.toEqual([]);
  });

  it('omits what staff have decided', () => {
    const accepted = { ...OWED, review: reviewOf('accept', [tooLittle, warning], atMinute(9)) };
    expect(reviewReasons(accepted, [tooLittle, warning])).toEqual([]);
    expect(reviewReasons(accepted, [tooLittle, warning, again])).toMatchObject([
      { code: 'paid_twice', amountMinor: 1_000 },
    ]);
    const rejected = { ...OWED, review: reviewOf('reject', [tooLittle], null) };
    expect(reviewReasons(rejected, [tooLittle])).toEqual([]);
    expect(reviewReasons(rejected, [tooLittle, again])).toMatchObject([{ code: 'amount', amountMinor: 1_000 }]);
  });

  it('has a new reason for each payment after a rejection, also for one that is not larger', () => {
    const rejected = { ...OWED, review: reviewOf('reject', [tooLittle], null) };
    const events = [tooLittle, again, { ...again, paymentId: 'pay_3', eventId: 'evt_3' }];
    const [one, two] = [events.slice(0, 2), events].map((payments) => reviewReasons(rejected, payments));
    expect(newReasons(one ?? [], two ?? [])).toMatchObject([{ code: 'amount', amountMinor: 2_000 }]);
    expect(reviewReasons(rejected, [...events, { ...again, paymentId: 'pay_4', currency: 'USD' }])).toHaveLength(2);
  });
});

describe('newReasons', () => {
  const reason = (amountMinor: number, currency = 'EUR') =>
    ({ code: 'paid_twice', message: `${amountMinor} ${currency}`, amountMinor, currency }) as const;

  it('returns the reasons that are new, or about more money', () => {
    expect(newReasons([], [reason(5)])).toEqual([reason(5)]);
    expect(newReasons([reason(5)], [reason(5)])).toEqual([]);
    expect(newReasons([reason(5)], [reason(4)])).toEqual([]);
    expect(newReasons([reason(5)], [reason(6)])).toEqual([reason(6)]);
    expect(newReasons([reason(5)], [reason(5), reason(1, 'USD')])).toEqual([reason(1, 'USD')]);
  });

  it('joins the messages of all reasons to one of at most 250 characters', () => {
    expect(messageOf([])).toBeNull();
    expect(messageOf([reason(5), reason(1, 'USD')])).toBe('5 EUR; 1 USD');
    expect(messageOf(Array.from({ length: 99 }, () => reason(5)))).toHaveLength(250);
  });
});
