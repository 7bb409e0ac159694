import { expect, it } from '@jest/globals';
import { paymentEvent } from '../../../test/support/payment-events.js';
import { type Order, type SettledChange } from '../order/order.types.js';
import { type PaymentEvent } from '../order/payment-event.types.js';
import { eventsOfSettlement } from './settlement-events.js';
import { reviewOf, settle } from './settlement-rules.js';

type Before = Parameters<typeof eventsOfSettlement>[0];

const HISTORY = { at: new Date(), actor: 'user:1', action: 'review_accepted', detail: 'Seen in the bank' };
const OWED = { id: 'o', totalMinor: 1_000, currency: 'EUR', createdAt: new Date(0), review: null };
const DISPUTE = { disputeId: 'dp_1' };
const paid = paymentEvent('payment.succeeded', 0);
const tooMuch = paymentEvent('payment.succeeded', 0, { amountMinor: 99_900 });
const warning = paymentEvent('fraud.warning', 1);
const refund = (amountMinor: number): PaymentEvent => paymentEvent('refund.succeeded', 5, { amountMinor });
const second = paymentEvent('payment.succeeded', 1, { paymentId: 'pay_2' });
const opened = paymentEvent('dispute.opened', 2, DISPUTE);
const won = paymentEvent('dispute.won', 3, DISPUTE);
const lost = paymentEvent('dispute.lost', 3, DISPUTE);
const appealed = paymentEvent('dispute.won', 4, DISPUTE);
const lostInPart = paymentEvent('dispute.lost', 3, { ...DISPUTE, amountMinor: 400 });
const failedOnce = paymentEvent('refund.failed', 6, { amountMinor: 300, refundId: 're_1' });
const failedRefund = paymentEvent('refund.failed', 6, { amountMinor: 300 });

function stateOf(payments: readonly PaymentEvent[], review: Order['review'] = null): Before {
  return { ...OWED, review, payments, ...settle({ ...OWED, review }, payments) };
}

/** The events of a change, each with the amount of its details, or the codes of its reasons. */
function published(before: Before, after: Before): string[] {
  const change: Pick<SettledChange, 'history'> & Before = { ...after, history: HISTORY };
  return eventsOfSettlement(before, change).map(({ type, subjectId, details = {} }) => {
    expect(subjectId).toBe('o');
    const amount = 'amountMinor' in details ? [details.amountMinor] : [];
    const decision = 'decision' in details ? [String(details.decision)] : [];
    const messages = 'reasons' in details ? details.reasons.map(({ message }) => message) : [];
    return [type, ...amount, ...decision, ...messages].join(' ');
  });
}

const LOST = 'order.dispute_lost';
it.each<[string, PaymentEvent[], PaymentEvent[], string[]]>([
  ['a payment', [], [paid], ['order.paid']],
  ['an authorization', [], [paymentEvent('payment.authorized', 0)], []],
  ['a payment that fails', [], [paymentEvent('payment.failed', 0)], []],
  ['a refund of a part', [paid], [refund(300)], ['order.refunded 300']],
  ['another refund of a part', [paid, refund(300)], [refund(200)], ['order.refunded 200']],
  ['a payment that arrives after its refund', [refund(1_000)], [paid], ['order.paid', 'order.refunded 1000']],
  ['a refund that failed later', [paid], [failedRefund], ['refund.failed 300']],
  [
    'two refunds that failed later',
    [paid],
    [failedRefund, { ...failedRefund, eventId: 'x' }],
    ['refund.failed 300', 'refund.failed 300'],
  ],
  [
    'a refund whose failure is reported twice',
    [paid],
    [failedOnce, { ...failedOnce, eventId: 'x', cumulative: true }],
    ['refund.failed 300'],
  ],
  ['a failure of a refund again', [paid, failedOnce], [{ ...failedOnce, eventId: 'x' }], []],
  [
    'the failure of another refund',
    [paid, failedOnce],
    [{ ...failedOnce, eventId: 'x', refundId: 're_2' }],
    ['refund.failed 300'],
  ],
  ['a dispute', [paid], [opened], ['order.disputed 1000']],
  ['a second dispute about the same payment', [paid, opened], [{ ...opened, eventId: 'x', disputeId: 'dp_2' }], []],
  ['a dispute that was won', [paid, opened], [won], ['order.dispute_won 1000']],
  ['a dispute that was lost', [paid, opened], [lost], [`${LOST} 1000`]],
  ['a dispute of which only the loss was reported', [paid], [lost], [`${LOST} 1000`]],
  ['the same loss again', [paid, opened, lost], [{ ...lost, eventId: 'x' }], []],
  ['an appeal that was won', [paid, opened, lost], [appealed], ['order.dispute_won 1000']],
  [
    'a dispute that was lost in part',
    [paid, opened],
    [lostInPart],
    [`${LOST} 400`, 'order.review_needed 4.00 EUR of 10.00 EUR was lost in a dispute; nothing was revoked'],
  ],
  ['a wrong amount', [], [tooMuch], ['order.review_needed 999.00 EUR arrived, 10.00 EUR was due']],
  [
    'the right payment after a wrong one',
    [tooMuch],
    [{ ...paid, paymentId: 'pay_2' }],
    ['order.paid', 'order.review_needed 1009.00 EUR arrived, 10.00 EUR was due; 999.00 EUR can be refunded'],
  ],
  ['a fraud warning', [paid], [warning], ['order.review_needed The payment provider suspects fraud']],
  [
    'a refund of an order with a fraud warning',
    [paid, warning],
    [refund(1_000)],
    ['order.refunded 1000', 'order.review_resolved null'],
  ],
  [
    'a second payment',
    [paid],
    [{ ...paid, eventId: 'x', paymentId: 'pay_2' }],
    ['order.review_needed 20.00 EUR arrived, 10.00 EUR was due; 10.00 EUR can be refunded'],
  ],
  [
    'a refund of a second payment',
    [paid, second],
    [paymentEvent('refund.succeeded', 5, { paymentId: 'pay_2' })],
    ['order.surplus_refunded 1000', 'order.review_resolved null'],
  ],
  [
    'a refund of a part of a second payment in another currency',
    [paid, { ...second, currency: 'USD' }],
    [paymentEvent('refund.succeeded', 5, { paymentId: 'pay_2', currency: 'USD', amountMinor: 300 })],
    ['order.surplus_refunded 300'],
  ],
  [
    'a refund of more than the surplus',
    [paid, { ...second, amountMinor: 400 }, refund(300)],
    [refund(500)],
    ['order.refunded 400', 'order.surplus_refunded 100', 'order.review_resolved null'],
  ],
  ['a refund of a wrong amount', [tooMuch], [refund(99_900)], ['order.surplus_refunded 99900']],
  [
    'the same refund again',
    [paid, second, { ...refund(300), refundId: 're_1' }],
    [{ ...refund(300), refundId: 're_1', eventId: 'x' }],
    [],
  ],
])('publishes the events of %s', (_, before, added, expected) => {
  expect(published(stateOf(before), stateOf([...before, ...added]))).toEqual(expected);
});

const tooLittle = { ...paid, amountMinor: 400 };
it.each<[decision: 'accept' | 'reject', what: string, payments: PaymentEvent[], expected: string[]]>([
  ['accept', 'too much', [tooMuch], ['order.paid', 'order.review_resolved accept']],
  ['reject', 'too much', [tooMuch], ['order.review_resolved reject']],
  // The refund was published when it happened.
  [
    'accept',
    'too little, of which a part was refunded',
    [tooLittle, refund(100)],
    ['order.paid', 'order.review_resolved accept'],
  ],
  ['reject', 'too little, of which a part was refunded', [tooLittle, refund(100)], ['order.review_resolved reject']],
])('publishes the decision of staff: %s %s', (decision, _, payments, expected) => {
  const before = stateOf(payments);
  const after = stateOf(payments, reviewOf(decision, payments, decision === 'accept' ? new Date() : null));
  expect(published(before, after)).toEqual(expected);
  expect(eventsOfSettlement(before, { ...after, history: HISTORY }).at(-1)?.details).toEqual({
    decision,
    reason: 'Seen in the bank',
    wasPaid: false,
  });
});

it('publishes with a decision whether the order was paid before it', () => {
  const warned = [paid, paymentEvent('fraud.warning', 5)];
  const after = stateOf(warned, reviewOf('accept', warned, new Date()));
  const [event] = eventsOfSettlement(stateOf(warned), { ...after, history: HISTORY });
  expect(event).toMatchObject({ type: 'order.review_resolved', details: { decision: 'accept', wasPaid: true } });
});

it('publishes each refund of an accepted payment once: before the decision as a surplus, and then as a refund of the order', () => {
  const review = reviewOf('accept', [tooLittle], new Date());
  const [arrived, refunded] = [[tooLittle], [tooLittle, refund(100)]];
  const again = { ...refund(200), eventId: 'x' };
  expect(published(stateOf(arrived), stateOf(refunded))).toEqual(['order.surplus_refunded 100']);
  expect(published(stateOf(refunded, review), stateOf([...refunded, again], review))).toEqual(['order.refunded 200']);
});

it('publishes the refund of a rejected payment', () => {
  const review = reviewOf('reject', [tooMuch], null);
  const events = published(stateOf([tooMuch], review), stateOf([tooMuch, refund(99_900)], review));
  expect(events).toEqual(['order.surplus_refunded 99900']);
});

it.each([
  ['the reason that the provider gives', { failure: 'insufficient_funds' }, 'insufficient_funds'],
  ['null without a reason', {}, null],
])('publishes the failure of a refund with its payment and %s', (_, fields, reason) => {
  const failed = { ...failedOnce, ...fields };
  const events = eventsOfSettlement(stateOf([paid]), { ...stateOf([paid, failed]), history: HISTORY });
  const details = { provider: 'stripe', paymentId: 'pay_1', amountMinor: 300, currency: 'EUR', reason };
  expect(events).toEqual([{ type: 'refund.failed', subjectId: 'o', details }]);
});

it('names the payment of a dispute, so that it can be found at the provider', () => {
  const [event] = eventsOfSettlement(stateOf([paid]), { ...stateOf([paid, lostInPart]), history: HISTORY });
  const details = { provider: 'stripe', paymentId: 'pay_1', amountMinor: 400, currency: 'EUR' };
  expect(event).toEqual({ type: 'order.dispute_lost', subjectId: 'o', details });
});
