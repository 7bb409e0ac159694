import { describe, expect, it } from '@jest/globals';
import { atMinute, paymentEvent } from '../../../test/support/payment-events.js';
import { type PaymentEvent } from '../order/payment-event.types.js';
import { refundsOf } from './refund-sums.js';

const SUM = { cumulative: true };
const refund = (amountMinor: number, minute: number, fields: Partial<PaymentEvent> = {}): PaymentEvent =>
  paymentEvent('refund.succeeded', minute, { amountMinor, ...fields });
const failure = (amountMinor: number, minute: number, fields: Partial<PaymentEvent> = {}): PaymentEvent =>
  paymentEvent('refund.failed', minute, { amountMinor, ...fields });
/** The amount and the minute of each refund, the same whether the events arrive in this order or in reverse. */
function counted(...events: PaymentEvent[]): unknown {
  const shown = (some: readonly PaymentEvent[]): unknown =>
    refundsOf(some).map(({ kind, amountMinor, at }) => [kind, amountMinor, at.getUTCMinutes()]);
  expect(shown(events.toReversed())).toEqual(shown(events));
  return shown(events);
}

describe('refundsOf', () => {
  it('returns single refunds by time', () => {
    expect(counted(refund(2, 9), refund(1, 8))).toEqual([
      ['refund', 1, 8],
      ['refund', 2, 9],
    ]);
    expect(refundsOf([refund(1, 8)])).toEqual([{ kind: 'refund', amountMinor: 1, at: atMinute(8) }]);
    expect(counted(paymentEvent('payment.succeeded', 1), paymentEvent('refund.pending', 2))).toEqual([]);
  });

  it('counts each refund of each payment of each provider once', () => {
    const id = { refundId: 're_1' };
    expect(counted(refund(1, 8, id), refund(1, 9, id))).toEqual([['refund', 1, 8]]);
    expect(counted(refund(1, 8, id), refund(1, 9, { ...id, paymentId: 'pay_2' }))).toHaveLength(2);
    expect(counted(refund(1, 8, id), refund(1, 9, { ...id, provider: 'custom' }))).toHaveLength(2);
  });

  it('returns the differences of the sums of a provider that reports sums', () => {
    expect(counted(refund(3, 7, SUM), refund(3, 8, SUM), refund(5, 9, SUM))).toEqual([
      ['refund', 3, 7],
      ['refund', 2, 9],
    ]);
    const other = { ...SUM, paymentId: 'pay_2' };
    expect(counted(refund(3, 7, SUM), refund(5, 8, other))).toEqual([
      ['refund', 3, 7],
      ['refund', 5, 8],
    ]);
    expect(counted(refund(5, 7, SUM), refund(3, 8, SUM))).toEqual([['refund', 5, 7]]);
    // A sum is not one refund: it counts each time, with or without an id.
    const same = { ...SUM, refundId: 're_1' };
    expect(counted(refund(3, 7, same), refund(5, 8, same))).toHaveLength(2);
  });

  it('leaves out refunds that failed, also when the failure has the same time', () => {
    const [one, two] = [{ refundId: 're_1' }, { refundId: 're_2' }];
    expect(counted(refund(3, 7, one), refund(4, 7, two), failure(3, 7, one))).toEqual([['refund', 4, 7]]);
    expect(counted(refund(3, 7, one), failure(3, 7, { ...one, paymentId: 'pay_2' }))).toEqual([['refund', 3, 7]]);
  });

  it('subtracts a refund that failed after a sum counted it from the latest refunds of its payment', () => {
    const fails = (amountMinor: number, minute: number): PaymentEvent =>
      failure(amountMinor, minute, { ...SUM, refundId: 're_9' });
    const sums = [refund(3, 6, SUM), refund(8, 7, SUM)];
    expect(counted(...sums, fails(2, 8))).toEqual([
      ['refund', 3, 6],
      ['refund', 3, 7],
    ]);
    expect(counted(...sums, fails(5, 8))).toEqual([['refund', 3, 6]]);
    expect(counted(...sums, fails(6, 8))).toEqual([['refund', 2, 6]]);
    expect(counted(...sums, fails(99, 8), refund(4, 9, SUM))).toEqual([['refund', 4, 9]]);
    const other = refund(5, 7, { ...SUM, paymentId: 'pay_2' });
    expect(counted(refund(3, 6, SUM), other, fails(3, 8))).toEqual([['refund', 5, 7]]);
    // At one time, the failure comes after the sum that counted the refund.
    const sum = refund(3, 8, { ...SUM, eventId: 'z' });
    expect(counted(sum, failure(3, 8, { ...SUM, eventId: 'a', refundId: 're_9' }))).toEqual([]);
    expect(counted(refund(3, 6, SUM), failure(3, 7, { refundId: 're_9' }))).toEqual([['refund', 3, 6]]);
  });

  it('subtracts a failed refund once, also when the failure is reported twice', () => {
    const fails = (minute: number): PaymentEvent => failure(3, minute, { ...SUM, refundId: 're_9' });
    const sums = [refund(3, 6, SUM), refund(8, 7, SUM)];
    expect(counted(...sums, fails(8), fails(9))).toEqual([
      ['refund', 3, 6],
      ['refund', 2, 7],
    ]);
    expect(counted(...sums, fails(8), fails(9), refund(8, 10, SUM))).toEqual([
      ['refund', 3, 6],
      ['refund', 2, 7],
      ['refund', 3, 10],
    ]);
    const others = [failure(3, 8, { ...SUM, refundId: 're_8' }), fails(9)];
    expect(counted(...sums, ...others)).toEqual([['refund', 2, 6]]);
  });

  it('returns the greater of the single refunds and the sum of a provider that reports both', () => {
    expect(counted(refund(3, 6), refund(3, 7, SUM))).toEqual([['refund', 3, 6]]);
    expect(counted(refund(3, 6, SUM), refund(3, 7), refund(2, 8))).toEqual([
      ['refund', 3, 6],
      ['refund', 2, 8],
    ]);
  });
});
