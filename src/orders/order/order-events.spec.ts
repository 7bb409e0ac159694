import { describe, expect, it } from '@jest/globals';
import { eventsOfPlacement, eventsOfSettlement } from './order-events.js';
import { type Order } from './order.types.js';

const NOW = new Date('2026-11-22T12:00:00.000Z');
const reversal = (kind: 'refund' | 'chargeback', amountMinor: number) => ({ kind, amountMinor, at: NOW });

describe('eventsOfPlacement', () => {
  it('publishes a new order with its code, and one with nothing to pay as paid', () => {
    const discount = { discountId: 'd', code: 'SUMMER', amountMinor: 100 };
    const created = (discountId: string | null) => ({ type: 'order.created', subjectId: 'o', details: { discountId } });
    expect(eventsOfPlacement({ id: 'o', discount: null, paidAt: null })).toEqual([created(null)]);
    const paid = { type: 'order.paid', subjectId: 'o' };
    expect(eventsOfPlacement({ id: 'o', discount, paidAt: NOW })).toEqual([created('d'), paid]);
  });
});

describe('eventsOfSettlement', () => {
  type State = Pick<Order, 'paymentStatus' | 'paidAt' | 'reversals'>;
  const state = (paymentStatus: Order['paymentStatus'], paidAt: Date | null = NOW, ...reversals: State['reversals']) =>
    ({ paymentStatus, paidAt, reversals }) satisfies State;

  it.each<[string, State, State, [type: string, amountMinor?: number][]]>([
    ['a payment', state('pending', null), state('paid'), [['order.paid']]],
    ['an authorization', state('pending', null), state('authorized', null), []],
    ['a payment that fails', state('pending', null), state('failed', null), []],
    ['the same payment again', state('paid'), state('paid'), []],
    [
      'a refund of a part',
      state('paid'),
      state('partially_refunded', NOW, reversal('refund', 300)),
      [['order.refunded', 300]],
    ],
    [
      'another refund of a part',
      state('partially_refunded', NOW, reversal('refund', 300)),
      state('partially_refunded', NOW, reversal('refund', 300), reversal('refund', 200)),
      [['order.refunded', 200]],
    ],
    [
      'a payment and its refund that arrive together',
      state('pending', null),
      state('refunded', NOW, reversal('refund', 999)),
      [['order.paid'], ['order.refunded', 999]],
    ],
    ['a refund that failed later', state('refunded', NOW, reversal('refund', 999)), state('paid'), []],
    ['a dispute', state('paid'), state('disputed'), [['order.disputed']]],
    [
      'a dispute that was lost',
      state('disputed'),
      state('charged_back', NOW, reversal('chargeback', 999)),
      [['order.disputed']],
    ],
    ['a dispute that was won', state('disputed'), state('paid'), []],
    ['a payment that needs a review', state('pending', null), state('needs_review', null), []],
  ])('publishes the events of %s', (_, before, after, events) => {
    const published = eventsOfSettlement({ id: 'o', ...before }, after);
    const expected = events.map(([type, amountMinor]) => ({
      type,
      subjectId: 'o',
      ...(amountMinor === undefined ? {} : { details: { amountMinor } }),
    }));
    expect(published).toEqual(expected);
  });
});
