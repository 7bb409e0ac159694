import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { paymentEvent } from '../../../test/support/payment-events.js';
import { aRefund } from '../../../test/support/refunds.js';
import { MINUTE_MS } from '../../lib/time/durations.js';
import { type PaymentEvent } from '../../orders/order/payment-event.types.js';
import { type PaymentDetails } from '../providers/provider.js';
import {
  choosePayment,
  findLost,
  isSettled,
  MAX_REFUNDS,
  nextCheck,
  type RefundablePayment,
  refundablePayments,
  refundProblem,
  stateOf,
} from './refund-rules.js';
import { type Refund } from './refund.types.js';

const paid = paymentEvent('payment.succeeded', 5);
const other = paymentEvent('payment.succeeded', 6, { paymentId: 'pay_2', amountMinor: 700 });
const refunded = (amountMinor: number, fields: Partial<PaymentEvent> = {}): PaymentEvent =>
  paymentEvent('refund.succeeded', 7, { amountMinor, ...fields });
const leftOf = (payments: readonly PaymentEvent[], refunds: readonly Refund[] = []): number[] =>
  refundablePayments({ payments }, refunds).map(({ leftMinor }) => leftMinor);

describe('The state of a refund', () => {
  const refund = aRefund({ state: 'pending', refundId: 're_1' });

  it.each<[string, Refund, PaymentEvent[], string, boolean]>([
    ['no event', refund, [paid], 'pending', false],
    ['its success', refund, [refunded(500, { refundId: 're_1' })], 'succeeded', true],
    [
      'its success and its failure',
      refund,
      [paymentEvent('refund.failed', 6, { refundId: 're_1' }), refunded(500, { refundId: 're_1' })],
      'failed',
      true,
    ],
    ['another refund', refund, [refunded(500, { refundId: 're_2' })], 'pending', false],
    [
      'a refund of another provider',
      refund,
      [refunded(500, { refundId: 're_1', provider: 'custom' })],
      'pending',
      false,
    ],
    ['a refund without an id', aRefund(), [refunded(500)], 'requested', false],
    ['no event, failed before', aRefund({ state: 'failed' }), [], 'failed', true],
    ['no event, after a success that the provider returned', { ...refund, state: 'succeeded' }, [], 'succeeded', false],
  ])('derives the state of a refund from %s', (_, one, payments, state, settled) => {
    expect(stateOf(one, { payments })).toBe(state);
    expect(isSettled(one, { payments })).toBe(settled);
  });
});

describe('nextCheck', () => {
  const { createdAt } = aRefund();
  const minute = (number: number): Date => new Date(createdAt.getTime() + number * MINUTE_MS);

  it.each<[number, number, number]>([
    [1, 1, 3],
    [31, 5, 45],
    [45, 6, 109],
    [600, 9, 960],
    [7 * 1_440 - 5, 20, 7 * 1_440],
    [7 * 1_440, 3, 7 * 1_440 + 8],
  ])('schedules the next check of a refund that nobody confirmed: after %i minutes', (now, checks, next) => {
    expect(nextCheck(aRefund({ checks }), minute(now))).toEqual(minute(next));
  });

  it('returns growing intervals once the provider has the refund', () => {
    expect(nextCheck(aRefund({ state: 'pending', checks: 5 }), minute(31))).toEqual(minute(63));
  });
});

describe('findLost', () => {
  const { createdAt } = aRefund();
  const at = (seconds: number): Date => new Date(createdAt.getTime() + seconds * 1_000);
  const details = (event: PaymentEvent): PaymentDetails => ({ ...event, orderId: null });
  const made = (fields: Partial<PaymentEvent> = {}): PaymentEvent =>
    refunded(500, { refundId: 're_1', occurredAt: at(1), ...fields });
  const lost = made({ type: 'refund.pending' });
  const isAt = (other: Partial<Refund>): Refund => aRefund({ id: 'other', ...other });

  it.each<[string, PaymentEvent[], Refund[], PaymentEvent | 'not_made' | 'unknown']>([
    ['no report of the payment', [lost], [], 'unknown'],
    ['a report of another payment', [other, lost], [], 'unknown'],
    ['no refund', [paid], [], 'not_made'],
    ['a later refund of the amount', [paid, lost], [aRefund()], lost],
    [
      'a refund with a time before the request, by a minute',
      [paid, made({ occurredAt: at(-60) })],
      [],
      made({ occurredAt: at(-60) }),
    ],
    ['an earlier refund', [paid, made({ occurredAt: at(-61) })], [], 'not_made'],
    ['a refund of another payment', [paid, made({ paymentId: 'pay_2' })], [], 'not_made'],
    ['another refund of ours', [paid, lost], [isAt({ state: 'pending', refundId: 're_1' })], 'not_made'],
    ['a later refund of another amount', [paid, made({ amountMinor: 499 })], [], 'unknown'],
    ['a later refund in another currency', [paid, made({ currency: 'USD' })], [], 'unknown'],
    ['two later refunds', [paid, lost, made({ refundId: 're_2' })], [], 'unknown'],
    ['a later refund, while another one has no id yet', [paid, lost], [isAt({})], 'unknown'],
    [
      'a later refund, while another one was never confirmed',
      [paid, lost],
      [isAt({ state: 'failed', failure: 'not_confirmed' })],
      'unknown',
    ],
    [
      'a later refund, while another one was rejected',
      [paid, lost],
      [isAt({ state: 'failed', failure: 'charge_disputed' })],
      lost,
    ],
    ['a later refund, while one of another payment has no id yet', [paid, lost], [isAt({ paymentId: 'pay_2' })], lost],
    ['no refund, while another one has no id yet', [paid], [isAt({})], 'not_made'],
  ])('decides whether the provider made a refund, from %s', (_, reported, others, expected) => {
    const found = findLost(aRefund(), others, reported.map(details));
    if (typeof expected === 'string') expect(found).toBe(expected);
    else expect(found).toMatchObject({ type: expected.type, refundId: 're_1' });
  });
});

describe('refundablePayments', () => {
  const requested = aRefund();
  const pending = aRefund({ state: 'pending', refundId: 're_1' });

  it.each<[string, PaymentEvent[], Refund[], number]>([
    ['all of it', [paid], [], 1_000],
    [
      'the smaller amount of two reports',
      [paymentEvent('payment.succeeded', 6), { ...paid, amountMinor: 900 }],
      [],
      900,
    ],
    [
      'the smaller amount of two reports, in the other order',
      [
        { ...paid, amountMinor: 900 },
        { ...paid, eventId: 'b' },
      ],
      [],
      900,
    ],
    ['without what staff requested', [paid], [requested], 500],
    ['with what failed', [paid], [aRefund({ state: 'failed' })], 1_000],
    ['with what failed later', [paid, paymentEvent('refund.failed', 9, { refundId: 're_1' })], [pending], 1_000],
    [
      'without what staff requested and the provider reported',
      [paid, refunded(500, { refundId: 're_1' })],
      [pending],
      500,
    ],
    ['without what others gave back', [paid, refunded(300, { refundId: 're_9' })], [pending], 200],
    ['without what others gave back, without an id', [paid, refunded(300)], [pending], 200],
    [
      'without what others gave back without an id, while of ours one has no id yet and one is not reported yet',
      [paid, refunded(250)],
      [aRefund({ amountMinor: 200 }), aRefund({ amountMinor: 300, state: 'pending', refundId: 're_1' })],
      250,
    ],
    ['without what others gave back, beside what staff requested', [paid, refunded(300)], [requested], 200],
    ['without a sum that has our refund', [paid, refunded(500, { cumulative: true })], [pending], 500],
    ['without a sum of more than our refund', [paid, refunded(800, { cumulative: true })], [pending], 200],
    ['without a sum that cannot have our refund yet', [paid, refunded(300, { cumulative: true })], [requested], 200],
    ['nothing, never less', [paid, refunded(900, { refundId: 're_9' })], [pending], 0],
  ])('leaves of a payment %s', (_, events, refunds, left) => {
    expect(leftOf(events, refunds)).toEqual([left]);
  });

  it('computes each payment of each provider separately, in its own currency', () => {
    const dollars = paymentEvent('payment.succeeded', 8, { provider: 'custom', currency: 'USD' });
    const refunds = [aRefund({ amountMinor: 1 }), aRefund({ paymentId: 'pay_2' })];
    expect(refundablePayments({ payments: [dollars, other, paid] }, refunds)).toEqual([
      { provider: 'stripe', paymentId: 'pay_1', currency: 'EUR', leftMinor: 999, isDisputed: false },
      { provider: 'stripe', paymentId: 'pay_2', currency: 'EUR', leftMinor: 200, isDisputed: false },
      { provider: 'custom', paymentId: 'pay_1', currency: 'USD', leftMinor: 1_000, isDisputed: false },
    ]);
  });

  it('uses the currency of the first of two reports with the same amount', () => {
    const payments = [paid, paymentEvent('payment.succeeded', 6, { eventId: 'b', currency: 'USD' })];
    expect(refundablePayments({ payments }, [])).toMatchObject([{ leftMinor: 1_000, currency: 'EUR' }]);
  });

  it('marks a payment as disputed while a bank decides about it', () => {
    const disputes = [paymentEvent('dispute.opened', 6)];
    expect(refundablePayments({ payments: [paid, ...disputes, other] }, [])).toMatchObject([
      { paymentId: 'pay_1', isDisputed: true },
      { paymentId: 'pay_2', isDisputed: false },
    ]);
    disputes.push(paymentEvent('dispute.won', 7));
    expect(refundablePayments({ payments: [paid, ...disputes] }, [])).toMatchObject([{ isDisputed: false }]);
  });

  it('leaves what a dispute did not take', () => {
    const lost = paymentEvent('dispute.lost', 8, { disputeId: 'dp_1', amountMinor: 400 });
    expect(refundablePayments({ payments: [paid, lost] }, [])).toMatchObject([{ leftMinor: 600, isDisputed: false }]);
  });

  it('limits the sum of refunds to the payment, in any order of requests and reports', () => {
    const amounts = fc.array(fc.tuple(fc.integer({ min: 1, max: 600 }), fc.constantFrom('requested', 'pending')), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(amounts, fc.boolean(), (requests, isReported) => {
        const refunds: Refund[] = [];
        const events = [paid];
        for (const [index, [amountMinor, state]] of requests.entries()) {
          const [payment] = refundablePayments({ payments: events }, refunds);
          if (payment === undefined || refundProblem(payment, amountMinor, refunds.length) !== null) continue;
          const refundId = state === 'pending' ? `re_${index}` : null;
          refunds.push(aRefund({ amountMinor, state: refundId === null ? 'requested' : 'pending', refundId }));
          if (isReported && refundId !== null) events.push(refunded(amountMinor, { refundId }));
        }
        expect(refunds.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBeLessThanOrEqual(1_000);
      }),
    );
  });
});

describe('The payment of a refund request', () => {
  const payment = (paymentId: string, leftMinor: number): RefundablePayment => ({
    ...{ provider: 'stripe', paymentId, currency: 'EUR' },
    ...{ leftMinor, isDisputed: false },
  });
  const [one, two, empty] = [payment('pay_1', 5), payment('pay_2', 7), payment('pay_3', 0)];

  it.each<[string, RefundablePayment[], string | undefined, unknown]>([
    ['the only one', [one], undefined, one],
    ['the only one with money left', [empty, two], undefined, two],
    ['one without money left, when there is no other', [empty], undefined, empty],
    ['the one that is named', [one, two], 'pay_2', two],
    ['the one that is named, with nothing left', [one, empty], 'pay_3', empty],
    ['none, when nothing was paid', [], undefined, 'Nothing was paid'],
    ['none, when an unknown one is named', [one], 'pay_9', 'The order has no such payment'],
    [
      'none, when there are several and none is named',
      [one, empty, two],
      undefined,
      'The order has several payments; send one of them as paymentId: pay_1, pay_2',
    ],
  ])('selects as the payment of a refund %s', (_, payments, paymentId, chosen) => {
    expect(choosePayment(payments, paymentId)).toEqual(chosen);
  });

  it.each<[string, Partial<RefundablePayment>, number, number, string | null]>([
    ['all that is left', {}, 500, MAX_REFUNDS - 1, null],
    ['a cent too much', {}, 501, 0, 'At most 5.00 EUR of the payment can still be refunded'],
    ['what is gone', { leftMinor: 0 }, 1, 0, 'The whole payment went back, or waits for the provider'],
    ['what is disputed', { isDisputed: true }, 1, 0, 'The payment is disputed, so the bank decides about the money'],
    ['too many refunds', {}, 1, MAX_REFUNDS, 'The order has 50 refunds already; refund the rest at the provider'],
  ])('decides whether a payment can be refunded: %s', (_, fields, amount, count, problem) => {
    expect(refundProblem({ ...payment('pay_1', 500), ...fields }, amount, count)).toBe(problem);
  });
});
