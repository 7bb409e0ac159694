import { describe, expect, it } from '@jest/globals';
import { atMinute, paymentEvent } from '../../../test/support/payment-events.js';
import { type PaymentStatus } from '../order/order.types.js';
import { PAYMENT_EVENT_TYPES, type PaymentEvent } from '../order/payment-event.types.js';
import { decisiveEvents, MAX_AFTER_PAYMENT, MAX_DECISIVE_EVENTS, type Owed, settle } from './settlement-rules.js';

const OWED: Owed = { totalMinor: 1_000, currency: 'EUR', review: null, createdAt: atMinute(0) };

const paid = paymentEvent('payment.succeeded', 5);
const refund = (amountMinor: number, minute: number, fields: Partial<PaymentEvent> = {}): PaymentEvent =>
  paymentEvent('refund.succeeded', minute, { amountMinor, ...fields });

describe('settle', () => {
  const cases: [string, PaymentStatus, PaymentEvent[]][] = [
    ['nothing', 'pending', []],
    ['a pending payment', 'pending', [paymentEvent('payment.pending', 1)]],
    ['an authorisation', 'authorized', [paymentEvent('payment.pending', 1), paymentEvent('payment.authorized', 2)]],
    ['a failure', 'failed', [paymentEvent('payment.authorized', 1), paymentEvent('payment.failed', 2)]],
    ['a cancelled payment', 'failed', [paymentEvent('payment.canceled', 1)]],
    ['an expired payment', 'failed', [paymentEvent('payment.expired', 1)]],
    ['a new try after a failure', 'pending', [paymentEvent('payment.failed', 1), paymentEvent('payment.pending', 2)]],
    ['the payment', 'paid', [paid]],
    [
      'the payment, with failed attempts before and after it',
      'paid',
      [paymentEvent('payment.failed', 1), paid, paymentEvent('payment.expired', 9)],
    ],
    ['the payment reported by two events', 'paid', [paid, paymentEvent('payment.succeeded', 6)]],
    ['a cent too little', 'needs_review', [paymentEvent('payment.succeeded', 5, { amountMinor: 999 })]],
    ['a cent too much', 'needs_review', [paymentEvent('payment.succeeded', 5, { amountMinor: 1_001 })]],
    ['another currency', 'needs_review', [paymentEvent('payment.succeeded', 5, { currency: 'USD' })]],
    ['two payments', 'needs_review', [paid, paymentEvent('payment.succeeded', 6, { paymentId: 'pay_2' })]],
    [
      'payments of one id by two providers',
      'needs_review',
      [paid, paymentEvent('payment.succeeded', 6, { provider: 'custom' })],
    ],
    [
      'one payment reported with two amounts',
      'needs_review',
      [paid, paymentEvent('payment.succeeded', 4, { amountMinor: 1 })],
    ],
    ['a part refunded', 'partially_refunded', [paid, refund(400, 6)]],
    ['all refunded in parts', 'refunded', [paid, refund(400, 6), refund(600, 7)]],
    [
      'all refunded in parts reported as sums',
      'refunded',
      [paid, refund(400, 6, { cumulative: true }), refund(1_000, 7, { cumulative: true })],
    ],
    [
      'sums reported out of order',
      'partially_refunded',
      [paid, refund(700, 7, { cumulative: true }), refund(400, 6, { cumulative: true })],
    ],
    ['more refunded than was paid', 'needs_review', [paid, refund(600, 6), refund(600, 7)]],
    [
      'a single refund and the sum that has it',
      'partially_refunded',
      [paid, refund(400, 6, { refundId: 're_1' }), refund(600, 7, { cumulative: true })],
    ],
    [
      'single refunds of more than the sum that was reported',
      'refunded',
      [paid, refund(400, 6, { cumulative: true }), refund(400, 6), refund(600, 7)],
    ],
    [
      'one refund reported by two events',
      'partially_refunded',
      [paid, refund(600, 6, { refundId: 're_1' }), refund(600, 7, { refundId: 're_1' })],
    ],
    ['a refund that is only requested', 'paid', [paid, paymentEvent('refund.pending', 6, { refundId: 're_1' })]],
    [
      'a refund that failed',
      'partially_refunded',
      [
        paid,
        refund(600, 6, { refundId: 're_1' }),
        paymentEvent('refund.failed', 6, { refundId: 're_1', amountMinor: 600 }),
        refund(400, 7, { refundId: 're_2' }),
      ],
    ],
    [
      'a refund that failed after the sum of all refunds had it, and a later sum',
      'partially_refunded',
      [
        paid,
        refund(600, 6, { cumulative: true }),
        paymentEvent('refund.failed', 6, { refundId: 're_1', amountMinor: 600, cumulative: true }),
        refund(400, 7, { cumulative: true }),
      ],
    ],
    [
      'too much refunded until one refund failed',
      'refunded',
      [
        paid,
        refund(1_000, 6),
        refund(5, 7, { refundId: 're_1' }),
        paymentEvent('refund.failed', 8, { refundId: 're_1', amountMinor: 5 }),
      ],
    ],
    ['a fraud warning', 'needs_review', [paid, paymentEvent('fraud.warning', 6, { amountMinor: 0, currency: 'XXX' })]],
    ['a fraud warning, and a part refunded', 'needs_review', [paid, paymentEvent('fraud.warning', 6), refund(400, 7)]],
    ['a fraud warning, and all refunded', 'refunded', [paid, paymentEvent('fraud.warning', 6), refund(1_000, 7)]],
    [
      'a fraud warning, and a dispute',
      'disputed',
      [paid, paymentEvent('fraud.warning', 6), paymentEvent('dispute.opened', 7)],
    ],
    ['a fraud warning before the payment', 'pending', [paymentEvent('fraud.warning', 1)]],
    [
      'a pending payment and a failure at the same time, of which the greater id counts',
      'failed',
      [
        paymentEvent('payment.pending', 1, { eventId: 'evt_a' }),
        paymentEvent('payment.failed', 1, { eventId: 'evt_b' }),
      ],
    ],
    [
      'more refunded than was paid, and a dispute',
      'needs_review',
      [paid, refund(600, 6), refund(600, 7), paymentEvent('dispute.opened', 8)],
    ],
    ['a refund in another currency', 'needs_review', [paid, refund(400, 6, { currency: 'USD' })]],
    ['a refund that arrived before its payment', 'pending', [refund(1_000, 6)]],
    ['a failure and a refund, before the payment', 'failed', [paymentEvent('payment.failed', 1), refund(1_000, 6)]],
    ['a dispute', 'disputed', [paid, paymentEvent('dispute.opened', 6)]],
    ['a dispute that was won', 'paid', [paid, paymentEvent('dispute.opened', 6), paymentEvent('dispute.won', 7)]],
    [
      'a dispute that was won after a part was refunded',
      'partially_refunded',
      [paid, refund(1, 6), paymentEvent('dispute.opened', 7), paymentEvent('dispute.won', 8)],
    ],
    [
      'a second dispute after one that was won',
      'disputed',
      [
        paid,
        paymentEvent('dispute.opened', 6),
        paymentEvent('dispute.won', 7),
        paymentEvent('dispute.opened', 8, { eventId: 'evt_again' }),
      ],
    ],
    [
      'a dispute that was won at once',
      'paid',
      [
        paid,
        paymentEvent('dispute.opened', 6, { eventId: 'evt_z' }),
        paymentEvent('dispute.won', 6, { eventId: 'evt_a' }),
      ],
    ],
    [
      'a dispute that was lost',
      'charged_back',
      [paid, paymentEvent('dispute.opened', 6), paymentEvent('dispute.lost', 7)],
    ],
  ];
  it.each(cases)('of %s is %s', (_name, status, events) => {
    expect(settle(OWED, events).paymentStatus).toBe(status);
    expect(settle(OWED, [...events].reverse()).paymentStatus).toBe(status);
  });

  it('returns the time of the first correct payment, and counts only payments of exactly the amount of the order', () => {
    expect(settle(OWED, [paymentEvent('payment.succeeded', 9), paid]).paidAt).toEqual(atMinute(5));
    expect(settle(OWED, [paymentEvent('payment.succeeded', 5, { amountMinor: 999 })]).paidAt).toBeNull();
    expect(settle(OWED, [paymentEvent('payment.succeeded', 1, { amountMinor: 999 }), paid]).paidAt).toEqual(
      atMinute(5),
    );
    expect(settle(OWED, []).paidAt).toBeNull();
    expect(settle(OWED, [paymentEvent('payment.succeeded', 5, { currency: 'USD' })]).paidAt).toBeNull();
  });

  it('lists refunds as single amounts, and none without a correct payment', () => {
    const sums = [refund(400, 6, { cumulative: true }), refund(1_000, 7, { cumulative: true })];
    expect(settle(OWED, [paid, ...sums]).reversals).toEqual([
      { kind: 'refund', amountMinor: 400, at: atMinute(6) },
      { kind: 'refund', amountMinor: 600, at: atMinute(7) },
    ]);
    expect(settle(OWED, [paid, paymentEvent('dispute.lost', 8)]).reversals).toEqual([
      { kind: 'chargeback', amountMinor: 1_000, at: atMinute(8) },
    ]);
    expect(settle(OWED, [paid, paymentEvent('dispute.lost', 9), paymentEvent('dispute.lost', 8)]).reversals).toEqual([
      { kind: 'chargeback', amountMinor: 1_000, at: atMinute(8) },
    ]);
    expect(settle(OWED, [paid, ...sums, refund(1_000, 8, { cumulative: true })]).reversals).toHaveLength(2);
    expect(settle(OWED, [paid, refund(400, 6, { currency: 'USD' })]).reversals).toEqual([]);
    const failed = paymentEvent('refund.failed', 8, { refundId: 're_1', amountMinor: 700, cumulative: true });
    expect(settle(OWED, [paid, ...sums, failed]).reversals).toEqual([
      { kind: 'refund', amountMinor: 300, at: atMinute(6) },
    ]);
    expect(settle(OWED, sums).reversals).toEqual([]);
    expect(settle(OWED, [paymentEvent('payment.succeeded', 5, { amountMinor: 1 }), ...sums]).reversals).toEqual([]);
  });

  describe('of an order with nothing to pay', () => {
    const free = { ...OWED, totalMinor: 0 };
    const placed = { paidAt: free.createdAt, reversals: [] };

    it.each(PAYMENT_EVENT_TYPES.filter((type) => type !== 'payment.succeeded'))(
      'changes nothing for %s: it was paid when it was placed',
      (type) => {
        expect(settle(free, [paymentEvent(type, 1)])).toEqual({ paymentStatus: 'paid', ...placed });
      },
    );

    it('takes a payment of 0 for what it is, and keeps the time', () => {
      const nothing = paymentEvent('payment.succeeded', 1, { amountMinor: 0 });
      expect(settle(free, [nothing])).toEqual({ paymentStatus: 'paid', ...placed });
    });

    it('needs a review for money that nobody owed, and stays paid; giving it back reduces no revenue', () => {
      expect(settle(free, [paid])).toEqual({ paymentStatus: 'needs_review', ...placed });
      const chargeback = paymentEvent('dispute.lost', 7, { amountMinor: 400 });
      expect(settle(free, [paid, refund(600, 6), chargeback])).toEqual({ paymentStatus: 'needs_review', ...placed });
    });
  });
});

describe('an order with very many events', () => {
  const many = (count: number, make: (index: number) => PaymentEvent): PaymentEvent[] =>
    Array.from({ length: count }, (_, index) => make(index));

  it('depends on the latest of its events before the payment', () => {
    const pending = many(2_000, (index) => paymentEvent('payment.pending', index));
    const latest = paymentEvent('payment.failed', 3_000);
    expect(decisiveEvents(OWED, [...pending, latest, ...pending])).toEqual([latest]);
    expect(decisiveEvents(OWED, [...pending, paid, latest])).toEqual([latest, paid]);
  });

  it('depends on the first event of 10 payments, and on the first event with a wrong amount', () => {
    const repeated = many(500, (index) => paymentEvent('payment.succeeded', 10 + index));
    const wrong = many(500, (index) => paymentEvent('payment.succeeded', 600 + index, { amountMinor: 1 }));
    const other = many(500, (index) => paymentEvent('payment.succeeded', 1_200 + index, { paymentId: `pay ${index}` }));
    const all = [...other, ...wrong, ...repeated];
    expect(decisiveEvents(OWED, all)).toEqual([repeated[0], ...other.slice(0, 9), wrong[0]]);
  });

  it('needs a person after more than 100 refunds and disputes, in every order of arrival', () => {
    const refunds = many(MAX_AFTER_PAYMENT, (index) => refund(1, 10 + index));
    expect(settle(OWED, [paid, ...refunds])).toMatchObject({ paymentStatus: 'partially_refunded' });
    expect(settle(OWED, [paid, ...refunds]).reversals).toHaveLength(100);
    const more = [...refunds, ...many(900, (index) => paymentEvent('dispute.won', 500 + index))];
    const settled = settle(OWED, [paid, ...more]);
    expect(settled.paymentStatus).toBe('needs_review');
    let kept: readonly PaymentEvent[] = [];
    for (const arriving of [...more].reverse().concat(paid)) kept = decisiveEvents(OWED, [...kept, arriving]);
    expect(kept).toHaveLength(102);
    expect(settle(OWED, kept)).toEqual(settled);
  });

  it('never depends on more events than its limit', () => {
    const all = PAYMENT_EVENT_TYPES.flatMap((type) =>
      many(300, (index) =>
        paymentEvent(type, index, {
          paymentId: `pay ${index % 7}`,
          amountMinor: 1_000 - (index % 3),
          currency: index % 5 ? 'EUR' : 'USD',
        }),
      ),
    );
    expect(decisiveEvents(OWED, all).length).toBeLessThanOrEqual(MAX_DECISIVE_EVENTS);
  });

  it('depends on no fewer than its limit says, except that the first payment is also the first right or wrong one', () => {
    const payments = many(12, (index) =>
      paymentEvent('payment.succeeded', index, { paymentId: `pay ${index}`, amountMinor: index === 10 ? 1_000 : 1 }),
    );
    const known = payments.slice(0, 11).map(({ provider, paymentId }) => `${provider}\n${paymentId}`);
    const decision = { decision: 'accept', received: [], paidAt: atMinute(12) } as const;
    const warnings = [paymentEvent('fraud.warning', 1), paymentEvent('fraud.warning', 2)];
    const review = { ...decision, payments: known, warnings: [`stripe\n${warnings[0]?.eventId ?? ''}`] };
    const refunds = many(MAX_AFTER_PAYMENT + 1, (index) => refund(1, 20 + index));
    const others = [paymentEvent('payment.pending', 0), ...warnings, refund(1, 500, { currency: 'USD' })];
    const all = [...payments, ...refunds, ...others];
    expect(decisiveEvents({ ...OWED, review }, all)).toHaveLength(MAX_DECISIVE_EVENTS - 1);
  });
});
