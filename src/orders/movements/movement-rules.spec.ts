import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { atMinute, paymentEvent } from '../../../test/support/payment-events.js';
import { type PaymentEvent, type PaymentEventType } from '../order/payment-event.types.js';
import { balancesOf } from '../settling/payment-balances.js';
import { sumOf } from '../settling/payment-events.js';
import { movementChanges, movementsOf, netMinorOf } from './movement-rules.js';

const PAID = paymentEvent('payment.succeeded', 0);
const refund = (minute: number, refundId: string, amountMinor: number): PaymentEvent =>
  paymentEvent('refund.succeeded', minute, { refundId, amountMinor });
/** As Stripe reports it: the sum of all refunds so far, without an id. */
const sum = (minute: number, amountMinor: number): PaymentEvent =>
  paymentEvent('refund.succeeded', minute, { amountMinor, cumulative: true });
const failed = (minute: number, refundId: string, amountMinor: number, cumulative = false): PaymentEvent =>
  paymentEvent('refund.failed', minute, { refundId, amountMinor, cumulative });
const dispute = (type: PaymentEventType, minute: number, amountMinor: number, disputeId?: string): PaymentEvent =>
  paymentEvent(type, minute, { amountMinor, ...(disputeId === undefined ? {} : { disputeId }) });

/** The movements without the payment, such as `refund re_1 succeeded 3.00 (from minute 1 to 2)`. */
const linesOf = (events: readonly PaymentEvent[]): string[] =>
  movementsOf([PAID, ...events])
    .filter(({ kind }) => kind !== 'payment')
    .map(({ kind, refundId, disputeId, state, amountMinor, startedAt, occurredAt }) =>
      [
        kind,
        refundId ?? disputeId ?? '-',
        state,
        amountMinor,
        startedAt.getUTCMinutes(),
        occurredAt.getUTCMinutes(),
      ].join(' '),
    )
    .sort();

describe('movementsOf', () => {
  it('has every field of a payment', () => {
    expect(movementsOf([PAID, paymentEvent('payment.pending', 0)])).toEqual([
      {
        ...{ name: '["payment","stripe","pay_1"]', kind: 'payment', state: 'succeeded', provider: 'stripe' },
        ...{ paymentId: 'pay_1', refundId: null, disputeId: null, amountMinor: 1_000, currency: 'EUR' },
        ...{ startedAt: atMinute(0), occurredAt: atMinute(0) },
      },
    ]);
  });

  it.each<[what: string, events: PaymentEvent[], lines: string[]]>([
    ['nothing after the payment', [], []],
    [
      'two refunds',
      [refund(1, 're_1', 300), refund(2, 're_2', 200)],
      ['refund re_1 succeeded 300 1 1', 'refund re_2 succeeded 200 2 2'],
    ],
    [
      'one refund that is reported twice',
      [refund(1, 're_1', 300), refund(2, 're_1', 300)],
      ['refund re_1 succeeded 300 1 1'],
    ],
    [
      'a refund that the bank returned',
      [refund(1, 're_1', 300), failed(3, 're_1', 300)],
      ['refund re_1 failed 300 1 3'],
    ],
    ['a refund of which only the failure is known', [failed(3, 're_1', 300)], ['refund re_1 failed 300 3 3']],
    [
      'refunds that only a sum reports',
      [sum(1, 300), sum(2, 500)],
      ['refund - succeeded 200 2 2', 'refund - succeeded 300 1 1'],
    ],
    ['a refund and a sum with it', [sum(1, 300), refund(2, 're_1', 300)], ['refund re_1 succeeded 300 2 2']],
    [
      'a sum with a refund more',
      [refund(1, 're_1', 300), sum(1, 300), sum(4, 450)],
      ['refund - succeeded 150 4 4', 'refund re_1 succeeded 300 1 1'],
    ],
    [
      'a sum of two refunds of which one is known',
      [refund(2, 're_1', 300), sum(2, 500)],
      ['refund - succeeded 200 2 2', 'refund re_1 succeeded 300 2 2'],
    ],
    ['a sum with a refund that failed', [sum(1, 300), failed(2, 're_1', 300, true)], ['refund re_1 failed 300 2 2']],
    ['an open dispute', [dispute('dispute.opened', 1, 1_000, 'dp_1')], ['dispute dp_1 open 1000 1 1']],
    [
      'a dispute that was won',
      [dispute('dispute.opened', 1, 1_000, 'dp_1'), dispute('dispute.won', 5, 1_000, 'dp_1')],
      ['dispute dp_1 won 1000 1 5'],
    ],
    [
      'a dispute that was lost',
      [dispute('dispute.opened', 1, 1_000, 'dp_1'), dispute('dispute.lost', 5, 900, 'dp_1')],
      ['chargeback dp_1 lost 900 1 5'],
    ],
    ['a dispute without an id', [dispute('dispute.opened', 1, 1_000)], ['dispute - open 1000 1 1']],
    [
      'a win without an id',
      [dispute('dispute.opened', 1, 1_000), dispute('dispute.won', 2, 1_000)],
      ['dispute - won 1000 1 2'],
    ],
    [
      'a loss without an id',
      [dispute('dispute.opened', 1, 1_000), dispute('dispute.lost', 2, 1_000)],
      ['chargeback - lost 1000 1 2'],
    ],
    [
      'one loss that is reported with and without an id',
      [dispute('dispute.lost', 2, 1_000, 'dp_1'), dispute('dispute.lost', 3, 1_000)],
      ['chargeback dp_1 lost 1000 2 2'],
    ],
    [
      'a loss without an id and a dispute after it',
      [dispute('dispute.lost', 2, 1_000), dispute('dispute.opened', 3, 1_000)],
      ['chargeback - lost 1000 2 2', 'dispute - open 1000 2 3'],
    ],
    ['a fraud warning', [paymentEvent('fraud.warning', 1)], []],
  ])('returns one line for each refund and dispute: %s', (_what, events, lines) => {
    expect(linesOf(events)).toEqual(lines);
    expect(linesOf([...events].reverse())).toEqual(lines);
  });

  it('adds up to what the order received and gave back, whatever its events are', () => {
    const reports: ((minute: number, amount: number, id: string) => PaymentEvent)[] = [
      (minute, amount, id) => refund(minute, id, amount),
      sum,
      (minute, amount, id) => failed(minute, id, amount, true),
      (minute, amount, id) => dispute('dispute.lost', minute, amount, id),
      (minute, amount) => dispute('dispute.lost', minute, amount),
      (minute, amount) => dispute('dispute.opened', minute, amount),
      (minute, amount) => dispute('dispute.won', minute, amount),
    ];
    const event = fc
      .tuple(fc.constantFrom(...reports), fc.nat(9), fc.constantFrom(100, 200), fc.constantFrom('re_1', 're_2'))
      .map(([report, minute, amount, id]) => report(minute, amount, id));
    fc.assert(
      fc.property(fc.array(event, { maxLength: 5 }), (drawn) => {
        const events = [PAID, ...drawn];
        const [balance] = balancesOf(events);
        const movements = movementsOf(events);
        const net = movements.reduce((total, movement) => total + netMinorOf(movement), 0);
        expect(net).toBe((balance?.receivedMinor ?? 0) - sumOf(balance?.reversals ?? []));
        expect(new Set(movements.map(({ name }) => name)).size).toBe(movements.length);
      }),
    );
  });
});

describe('movementChanges', () => {
  it('returns what is new and what has another state, and nothing for what is known', () => {
    const opened = dispute('dispute.opened', 1, 1_000, 'dp_1');
    const before = [PAID, opened];
    expect(movementChanges(before, [...before, opened])).toEqual({ changed: [], removed: [] });
    const { changed, removed } = movementChanges(before, [...before, dispute('dispute.lost', 5, 1_000, 'dp_1')]);
    expect([changed.map(({ kind, state }) => `${kind} ${state}`), removed]).toEqual([['chargeback lost'], []]);
  });

  it('replaces the line of a sum by that of the refund when the provider reports the refund, too', () => {
    const before = [PAID, sum(1, 300)];
    const { changed, removed } = movementChanges(before, [...before, refund(2, 're_1', 300)]);
    expect(changed.map(({ refundId }) => refundId)).toEqual(['re_1']);
    expect(removed).toEqual([movementsOf(before)[1]?.name]);
  });
});
