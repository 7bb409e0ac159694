import { describe, expect, it } from '@jest/globals';
import { atMinute, paymentEvent } from '../../../test/support/payment-events.js';
import { type PaymentStatus } from '../order/order.types.js';
import { PAYMENT_EVENT_TYPES, type PaymentEvent, type PaymentEventType } from '../order/payment-event.types.js';
import { type AmountDue } from './currency-balances.js';
import { decisiveEvents, MAX_AFTER_PAYMENT, MAX_DECISIVE_EVENTS, settle } from './settlement-rules.js';

const OWED: AmountDue = { totalMinor: 1_000, currency: 'EUR', review: null, createdAt: atMinute(0) };

const paid = paymentEvent('payment.succeeded', 5);
const again = paymentEvent('payment.succeeded', 6, { paymentId: 'pay_2' });
const dispute = (
  end: 'opened' | 'won' | 'lost',
  minute: number,
  disputeId: string,
  fields: Partial<PaymentEvent> = {},
): PaymentEvent => paymentEvent(`dispute.${end}`, minute, { disputeId, ...fields });
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
    ['two payments', 'paid', [paid, again]],
    [
      'payments of one id by two providers',
      'paid',
      [paid, paymentEvent('payment.succeeded', 6, { provider: 'custom' })],
    ],
    [
      'the payment, after one of another amount',
      'paid',
      [paymentEvent('payment.succeeded', 4, { paymentId: 'pay_2', amountMinor: 1 }), paid],
    ],
    ['the payment, and one in another currency', 'paid', [paid, { ...again, currency: 'USD' }]],
    [
      'two parts that add up to the amount',
      'needs_review',
      [
        { ...paid, amountMinor: 400 },
        { ...again, amountMinor: 600 },
      ],
    ],
    ['two payments, one refunded', 'paid', [paid, again, refund(1_000, 7)]],
    ['two payments, the other one refunded', 'paid', [paid, again, refund(1_000, 7, { paymentId: 'pay_2' })]],
    [
      'two payments, one and a part refunded',
      'partially_refunded',
      [paid, again, refund(1_000, 7), refund(1, 8, { paymentId: 'pay_2' })],
    ],
    [
      'two payments, both refunded',
      'refunded',
      [paid, again, refund(1_000, 7), refund(1_000, 8, { paymentId: 'pay_2' })],
    ],
    ['two payments, one disputed', 'disputed', [paid, again, dispute('opened', 7, 'dp_1', { paymentId: 'pay_2' })]],
    ['two payments, a dispute of one lost', 'paid', [paid, again, dispute('lost', 7, 'dp_1', { paymentId: 'pay_2' })]],
    [
      'two payments, disputes of both lost',
      'charged_back',
      [paid, again, dispute('lost', 7, 'dp_1'), dispute('lost', 7, 'dp_2', { paymentId: 'pay_2' })],
    ],
    [
      'a payment in another currency beside the right one, refunded',
      'paid',
      [paid, { ...again, currency: 'USD' }, refund(1_000, 7, { paymentId: 'pay_2', currency: 'USD' })],
    ],
    [
      'the payment, and a refund of one that never arrived',
      'needs_review',
      [paid, refund(1, 7, { paymentId: 'pay_2' })],
    ],
    [
      'the payment, and a lost dispute of one that never arrived',
      'needs_review',
      [paid, dispute('lost', 7, 'dp_1', { paymentId: 'pay_2' })],
    ],
    [
      'the payment, and an open dispute of one that never arrived',
      'disputed',
      [paid, dispute('opened', 7, 'dp_1', { paymentId: 'pay_2' })],
    ],
    [
      'an attempt in another currency that failed, and the payment',
      'paid',
      [paymentEvent('payment.failed', 1, { currency: 'USD' }), paid],
    ],
    [
      'a won and an open dispute of one payment',
      'disputed',
      [paid, dispute('opened', 6, 'dp_1'), dispute('opened', 7, 'dp_2'), dispute('won', 8, 'dp_1')],
    ],
    [
      'a dispute that was lost and won on appeal',
      'paid',
      [paid, dispute('opened', 6, 'dp_1'), dispute('lost', 7, 'dp_1'), dispute('won', 8, 'dp_1')],
    ],
    ['a lost and an open dispute', 'disputed', [paid, dispute('lost', 7, 'dp_1'), dispute('opened', 8, 'dp_2')]],
    [
      'a dispute lost in part',
      'partially_refunded',
      [paid, dispute('opened', 6, 'dp_1'), dispute('lost', 7, 'dp_1', { amountMinor: 400 })],
    ],
    [
      'two disputes lost in parts that are all of it',
      'charged_back',
      [paid, dispute('lost', 7, 'dp_1', { amountMinor: 400 }), dispute('lost', 8, 'dp_2', { amountMinor: 600 })],
    ],
    [
      'a part lost in a dispute, and the rest refunded',
      'charged_back',
      [paid, dispute('lost', 7, 'dp_1', { amountMinor: 400 }), refund(600, 8)],
    ],
    ['all refunded, and the dispute lost too', 'charged_back', [paid, refund(1_000, 6), dispute('lost', 7, 'dp_1')]],
    [
      'a reversal without the id of its dispute, which is won later',
      'paid',
      [paid, dispute('opened', 6, 'dp_1'), paymentEvent('dispute.lost', 7), dispute('won', 8, 'dp_1')],
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
      'disputed',
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
  it.each(cases)('computes from %s the state %s', (_name, status, events) => {
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

  it('counts each lost dispute once with its own amount, and never more than what was received', () => {
    const chargebacks = (...events: PaymentEvent[]): number[] => {
      const sums = (some: PaymentEvent[]): number[] =>
        settle(OWED, some).reversals.map(({ amountMinor }) => amountMinor);
      expect(sums([...events].reverse())).toEqual(sums(events));
      return sums(events);
    };
    const reversal = paymentEvent('dispute.lost', 7);
    const lost = (minute: number, disputeId: string, amountMinor: number): PaymentEvent =>
      dispute('lost', minute, disputeId, { amountMinor });
    expect(chargebacks(paid, lost(7, 'dp_1', 400), lost(8, 'dp_2', 300))).toEqual([400, 300]);
    expect(chargebacks(paid, lost(7, 'dp_1', 1_000), lost(8, 'dp_2', 1_000))).toEqual([1_000]);
    expect(chargebacks(paid, lost(7, 'dp_1', 4_000))).toEqual([1_000]);
    expect(chargebacks(paid, refund(700, 6), lost(7, 'dp_1', 1_000))).toEqual([700, 300]);
    expect(chargebacks(paid, lost(7, 'dp_1', 400), lost(8, 'dp_1', 300))).toEqual([300]);
    expect(chargebacks(paid, lost(6, 'dp_1', 1_000), reversal)).toEqual([1_000]);
    expect(chargebacks(paid, reversal, lost(8, 'dp_1', 1_000))).toEqual([1_000]);
    expect(chargebacks(paid, reversal, lost(8, 'dp_1', 400))).toEqual([400]);
    expect(chargebacks(paid, lost(6, 'dp_1', 400), reversal)).toEqual([400, 600]);
    expect(chargebacks(paid, lost(6, 'dp_1', 400), { ...reversal, amountMinor: 500 })).toEqual([400, 100]);
    expect(chargebacks(paid, again, lost(7, 'dp_1', 1_000), refund(1, 8))).toEqual([]);
    expect(chargebacks(paid, again, lost(7, 'dp_1', 1_000), refund(1, 8, { paymentId: 'pay_2' }))).toEqual([1]);
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
      'changes nothing for %s when nothing was to pay: the order was paid when it was placed',
      (type) => {
        expect(settle(free, [paymentEvent(type, 1)])).toEqual({ paymentStatus: 'paid', ...placed });
      },
    );

    it('takes a payment of 0 for what it is, and keeps the time', () => {
      const nothing = paymentEvent('payment.succeeded', 1, { amountMinor: 0 });
      expect(settle(free, [nothing])).toEqual({ paymentStatus: 'paid', ...placed });
    });

    it('keeps an order with nothing to pay paid when money arrives that nobody amountDue, and when it goes back, which reduces no revenue', () => {
      expect(settle(free, [paid])).toEqual({ paymentStatus: 'paid', ...placed });
      const chargeback = dispute('lost', 7, 'dp_1', { amountMinor: 400 });
      expect(settle(free, [paid, refund(600, 6), chargeback])).toEqual({ paymentStatus: 'paid', ...placed });
      expect(settle(free, [paid, dispute('opened', 7, 'dp_1')])).toEqual({ paymentStatus: 'disputed', ...placed });
    });
  });
});

describe('an order with very many events', () => {
  const many = (count: number, make: (index: number) => PaymentEvent): PaymentEvent[] =>
    Array.from({ length: count }, (_, index) => make(index));

  it.each<[PaymentEventType, PaymentEventType, PaymentStatus]>([
    ['payment.processing', 'payment.failed', 'processing'],
    ['payment.processing', 'payment.pending', 'processing'],
    ['payment.processing', 'payment.authorized', 'authorized'],
    ['payment.authorized', 'payment.canceled', 'authorized'],
    ['payment.authorized', 'payment.processing', 'authorized'],
    ['payment.failed', 'payment.processing', 'processing'],
    ['payment.failed', 'payment.pending', 'pending'],
  ])(
    'counts money on its way whatever happens to another payment: %s, then %s of another one is %s',
    (one, other, is) => {
      const events = [paymentEvent(one, 1), paymentEvent(other, 2, { paymentId: 'pay_2' })];
      for (const set of [events, [...events].reverse()]) {
        expect(settle(OWED, set).paymentStatus).toBe(is);
        expect(decisiveEvents(OWED, set)).toHaveLength(2);
      }
      const ended = paymentEvent('payment.failed', 3);
      const left = settle(OWED, [...events, ended, paymentEvent('payment.failed', 4, { paymentId: 'pay_2' })]);
      expect(left.paymentStatus).toBe('failed');
    },
  );

  it('lets an end follow what it ends, when a provider gives both the same time', () => {
    const ids = ['evt_a', 'evt_b'];
    for (const [first, second] of [ids, [...ids].reverse()]) {
      const events = [
        paymentEvent('payment.processing', 1, { eventId: first }),
        paymentEvent('payment.failed', 1, { eventId: second }),
      ];
      expect(settle(OWED, events).paymentStatus).toBe('failed');
    }
  });

  it('keeps only the latest event before the payment', () => {
    const pending = many(2_000, (index) => paymentEvent('payment.pending', index));
    const latest = paymentEvent('payment.failed', 3_000);
    expect(decisiveEvents(OWED, [...pending, latest, ...pending])).toEqual([latest]);
    expect(decisiveEvents(OWED, [...pending, paid, latest])).toEqual([latest, paid]);
  });

  it('keeps the first report of each of 11 payments, and the first one of the right amount, however many arrive', () => {
    const rightly = many(500, (index) => paymentEvent('payment.succeeded', 10 + index, { paymentId: 'z' }));
    const wrongly = many(500, (index) =>
      paymentEvent('payment.succeeded', 600 + index, { paymentId: 'y', amountMinor: 1 }),
    );
    const others = many(500, (index) =>
      paymentEvent('payment.succeeded', 1_200 + index, { paymentId: `pay ${String(index).padStart(3, '0')}` }),
    );
    expect(decisiveEvents(OWED, [...others, ...wrongly, ...rightly])).toEqual([...others.slice(0, 11), rightly[0]]);
    expect(decisiveEvents(OWED, [...wrongly, ...rightly])).toEqual([wrongly[0], rightly[0]]);
  });

  it('requires a review of more than 10 payments, until somebody accepts them', () => {
    const payments = many(11, (index) => paymentEvent('payment.succeeded', index, { paymentId: `pay ${index}` }));
    expect(settle(OWED, payments.slice(1)).paymentStatus).toBe('paid');
    expect(settle(OWED, payments).paymentStatus).toBe('needs_review');
    const review = { decision: 'accept', payments: [], warnings: [], paidAt: atMinute(0) } as const;
    expect(settle({ ...OWED, review }, payments).paymentStatus).toBe('paid');
  });

  it('requires a review after more than 100 refunds and disputes, in every order of arrival', () => {
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

  it('depends on no more events than its limit', () => {
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

  it('depends on no fewer than its limit says', () => {
    const payments = many(13, (index) =>
      paymentEvent('payment.succeeded', 20 - index, { paymentId: `pay ${String(index).padStart(2, '0')}` }),
    );
    const wrong = many(11, (index) => ({ ...(payments[index] ?? paid), eventId: `wrong ${index}`, amountMinor: 1 }));
    const known = [...payments.slice(0, 11), ...payments.slice(12)].map(
      ({ provider, paymentId }) => `${provider}\n${paymentId}`,
    );
    const review = { decision: 'accept', payments: known, warnings: [], paidAt: atMinute(12) } as const;
    const refunds = many(MAX_AFTER_PAYMENT + 1, (index) => refund(1, 30 + index));
    const before = many(12, (index) =>
      paymentEvent('payment.pending', index, { paymentId: `pay ${String(index).padStart(2, '0')}` }),
    );
    const others = [...before, paymentEvent('fraud.warning', 1)];
    const all = [...payments, ...wrong, ...refunds, ...others];
    expect(decisiveEvents({ ...OWED, review }, all)).toHaveLength(MAX_DECISIVE_EVENTS);
  });
});
