import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { atMinute, paymentEvent } from '../../../test/support/payment-events.js';
import { canMove } from '../../lib/states/transitions.js';
import { PAYMENT_TRANSITIONS, REVIEW_TRANSITIONS } from '../order/order-transitions.js';
import { type PaymentReview, type PaymentStatus } from '../order/order.types.js';
import { PAYMENT_EVENT_TYPES, type PaymentEvent } from '../order/payment-event.types.js';
import { type AmountDue } from './currency-balances.js';
import { decisiveEvents, reviewOf, settle } from './settlement-rules.js';

const OWED: AmountDue = { totalMinor: 1_000, currency: 'EUR', review: null, createdAt: atMinute(0) };
const DECIDED = atMinute(30);

const paid = paymentEvent('payment.succeeded', 5);
const again = paymentEvent('payment.succeeded', 6, { paymentId: 'pay_2' });
const tooLittle = paymentEvent('payment.succeeded', 5, { amountMinor: 999 });
const dollars = paymentEvent('payment.succeeded', 5, { currency: 'USD', amountMinor: 1_200 });
const warning = paymentEvent('fraud.warning', 6);
const anotherWarning = paymentEvent('fraud.warning', 50);
const refund = (amountMinor: number, fields: Partial<PaymentEvent> = {}): PaymentEvent =>
  paymentEvent('refund.succeeded', 40, { amountMinor, ...fields });

const USD = { currency: 'USD', paymentId: 'pay_2' };
const inDollars = paymentEvent('payment.succeeded', 6, { ...USD, amountMinor: 1_200 });
const tooMuch = paymentEvent('payment.succeeded', 5, { amountMinor: 1_500 });
const many = (count: number, amountMinor: number, fields: Partial<PaymentEvent> = {}): PaymentEvent[] =>
  Array.from({ length: count }, () => refund(amountMinor, fields));

/** The state after staff decided about the first events, and the others came. */
function settled(
  decision: PaymentReview['decision'],
  known: readonly PaymentEvent[],
  later: readonly PaymentEvent[] = [],
): ReturnType<typeof settle> {
  const before = settle(OWED, known);
  expect(before.paymentStatus).toBe('needs_review');
  const review = reviewOf(
    decision,
    decisiveEvents(OWED, known),
    decision === 'accept' ? (before.paidAt ?? DECIDED) : null,
  );
  return settle({ ...OWED, review }, [...known, ...later]);
}

describe('settle, of an order whose payments staff accepted', () => {
  it.each<[string, PaymentStatus, PaymentEvent[], PaymentEvent[]]>([
    ['too little', 'paid', [tooLittle], []],
    ['too little, reported twice', 'paid', [tooLittle], [{ ...tooLittle, eventId: 'evt_again' }]],
    ['too little, with a failed try later', 'paid', [tooLittle], [paymentEvent('payment.failed', 50)]],
    ['too little, and a part refunded', 'partially_refunded', [tooLittle], [refund(1)]],
    ['too little, and all of it refunded', 'refunded', [tooLittle], [refund(999)]],
    [
      'too much, and the rest refunded',
      'paid',
      [paymentEvent('payment.succeeded', 5, { amountMinor: 1_500 })],
      [refund(500)],
    ],
    ['a fraud warning', 'paid', [paid, warning], []],
    ['a fraud warning, and a part refunded', 'partially_refunded', [paid, warning], [refund(1)]],
    ['a fraud warning, and another one', 'needs_review', [paid, warning], [paymentEvent('fraud.warning', 50)]],
    [
      'a fraud warning, another one, and all of it refunded',
      'refunded',
      [paid, warning],
      [anotherWarning, refund(1_000)],
    ],
    ['too little, and a fraud warning later', 'needs_review', [tooLittle], [anotherWarning]],
    [
      'a fraud warning, paid twice, and one refunded',
      'paid',
      [paid, again, warning],
      [refund(1_000, { paymentId: 'pay_2' })],
    ],
    [
      'two parts',
      'paid',
      [
        { ...paid, amountMinor: 400 },
        { ...again, amountMinor: 600 },
      ],
      [],
    ],
    [
      'two parts, one refunded',
      'partially_refunded',
      [
        { ...paid, amountMinor: 400 },
        { ...again, amountMinor: 600 },
      ],
      [refund(400)],
    ],
    ['another currency', 'paid', [dollars], []],
    ['another currency, a part refunded', 'partially_refunded', [dollars], [refund(200, { currency: 'USD' })]],
    ['another currency, refunded', 'refunded', [dollars], [refund(1_200, { currency: 'USD' })]],
    ['too little, and disputed', 'disputed', [tooLittle], [paymentEvent('dispute.opened', 50)]],
    [
      'too little, and a dispute won',
      'paid',
      [tooLittle],
      [paymentEvent('dispute.opened', 50), paymentEvent('dispute.won', 51)],
    ],
    ['too little, and a dispute lost', 'charged_back', [tooLittle], [paymentEvent('dispute.lost', 50)]],
    ['too little, and another payment', 'paid', [tooLittle], [again]],
    [
      'too little, and another payment that is refunded',
      'paid',
      [tooLittle],
      [again, refund(1_000, { paymentId: 'pay_2' })],
    ],
    [
      'too little, and a payment in another currency that is refunded',
      'paid',
      [tooLittle],
      [inDollars, refund(1_200, USD)],
    ],
    ['another currency, and the right payment', 'paid', [dollars], [again, refund(1_000, { paymentId: 'pay_2' })]],
    ['more refunded than was paid', 'refunded', [paid, refund(600), refund(600)], []],
    ['100 refunds', 'partially_refunded', [tooLittle], many(100, 1)],
    ['more refunds than the maximum', 'needs_review', [tooLittle], many(101, 1)],
    // Each currency has its own sums: money of one is no surplus and no refund of the other.
    ['too little and another currency, a part refunded', 'partially_refunded', [tooLittle, inDollars], [refund(1)]],
    [
      'too much and another currency, a part of that refunded',
      'partially_refunded',
      [tooMuch, inDollars],
      many(1, 200, USD),
    ],
    [
      'too little and another currency, that refunded',
      'partially_refunded',
      [tooLittle, inDollars],
      many(1, 1_200, USD),
    ],
    [
      'too little and another currency, both refunded',
      'refunded',
      [tooLittle, inDollars],
      [refund(999), ...many(1, 1_200, USD)],
    ],
  ])('computes the state of an order whose payments staff accepted, %s: %s', (_, status, known, later) => {
    const settlement = settled('accept', known, later);
    expect(settlement.paymentStatus).toBe(status);
    expect(settlement.paidAt).not.toBeNull();
  });

  it('dates the payment by the right payment when one arrived, and otherwise by the decision of staff', () => {
    expect(settled('accept', [tooLittle]).paidAt).toEqual(DECIDED);
    expect(settled('accept', [paid, warning]).paidAt).toEqual(atMinute(5));
    expect(settled('accept', [tooLittle], [again]).paidAt).toEqual(DECIDED);
  });

  it('reduces revenue only by refunds beyond the surplus', () => {
    const later = [refund(700, { paymentId: 'pay_2' }), refund(300, { paymentId: 'pay_2' }), refund(200)];
    expect(settled('accept', [paid, again, warning], later).reversals).toEqual([
      { kind: 'refund', amountMinor: 200, at: atMinute(40) },
    ]);
  });
});

describe('reviewOf', () => {
  it('lists each payment and each warning once', () => {
    const events = [tooLittle, again, { ...again, eventId: 'evt_again' }, warning, refund(1)];
    expect(reviewOf('accept', events, DECIDED)).toEqual({
      decision: 'accept',
      payments: ['stripe\npay_1', 'stripe\npay_2'],
      warnings: [`stripe\n${warning.eventId}`],
      paidAt: DECIDED,
    });
  });
});

describe('settle, of an order whose payments staff rejected', () => {
  it.each<[string, PaymentStatus, PaymentEvent[]]>([
    ['nothing more', 'failed', []],
    ['the same payment again', 'failed', [{ ...tooLittle, eventId: 'evt_again' }]],
    ['a refund', 'failed', [refund(999)]],
    ['a dispute', 'failed', [paymentEvent('dispute.lost', 50)]],
    ['a pending payment', 'failed', [paymentEvent('payment.pending', 50)]],
    ['another payment, also with the right amount', 'needs_review', [again]],
  ])('leaves the order unpaid after %s: %s', (_, status, later) => {
    expect(settled('reject', [tooLittle], later)).toEqual({ paymentStatus: status, paidAt: null, reversals: [] });
  });
});

describe('settle, after a decision of staff', () => {
  const anEvent = fc.record({
    provider: fc.constantFrom('stripe', 'custom'),
    eventId: fc.constantFrom('evt_1', 'evt_2', 'evt_3', 'evt_4', 'evt_5', 'evt_6', 'evt_7'),
    type: fc.constantFrom(...PAYMENT_EVENT_TYPES, 'payment.succeeded' as const),
    paymentId: fc.constantFrom('pay_1', 'pay_1', 'pay_2'),
    amountMinor: fc.constantFrom(1_000, 1_000, 400, 600, 1),
    currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'USD'),
    occurredAt: fc.constantFrom(atMinute(1), atMinute(2), atMinute(3)),
    cumulative: fc.boolean(),
  });
  const aSet = fc.uniqueArray(anEvent, {
    maxLength: 10,
    selector: ({ provider, eventId }) => `${provider} ${eventId}`,
  });
  const given = fc.tuple(
    aSet.chain((events) => fc.shuffledSubarray(events, { minLength: events.length })),
    fc.nat(10),
    fc.constantFrom('accept', 'reject'),
  );

  it('keeps the decision after every later event, by allowed moves only, and depends only on the set of events', () => {
    let decided = 0;
    fc.assert(
      fc.property(given, ([events, count, decision]) => {
        const known = decisiveEvents(OWED, events.slice(0, count));
        const before = settle(OWED, known);
        if (before.paymentStatus !== 'needs_review' || (decision === 'reject' && before.paidAt !== null)) return;
        decided++;
        const paidAt = decision === 'accept' ? (before.paidAt ?? DECIDED) : null;
        const amountDue: AmountDue = { ...OWED, review: reviewOf(decision, known, paidAt) };
        let kept: readonly PaymentEvent[] = decisiveEvents(amountDue, known);
        let status = settle(amountDue, kept).paymentStatus;
        if (!canMove(REVIEW_TRANSITIONS, 'needs_review', status) || status === 'needs_review') throw new Error(status);
        for (const arriving of events.slice(count)) {
          kept = decisiveEvents(amountDue, [...kept, arriving]);
          const next = settle(amountDue, kept);
          if (!canMove(PAYMENT_TRANSITIONS, status, next.paymentStatus)) {
            throw new Error(`no move from ${status} to ${next.paymentStatus}`);
          }
          expect(next.paidAt).toEqual(paidAt);
          status = next.paymentStatus;
        }
        expect(settle(amountDue, kept)).toEqual(settle(amountDue, [...known, ...events.slice(count)].reverse()));
      }),
      { numRuns: 5_000 },
    );
    expect(decided).toBeGreaterThan(500);
  });
});
