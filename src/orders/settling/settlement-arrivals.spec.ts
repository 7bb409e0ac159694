import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { atMinute } from '../../../test/support/payment-events.js';
import { canMove } from '../../lib/states/transitions.js';
import { deliveryAfter, moneyHolder } from '../order/order-rules.js';
import { DELIVERY_STATUS_TRANSITIONS, PAYMENT_TRANSITIONS } from '../order/order-transitions.js';
import { type DeliveryStatus, type PaymentStatus } from '../order/order.types.js';
import { PAYMENT_EVENT_TYPES, type PaymentEvent } from '../order/payment-event.types.js';
import { balancesOf } from './payment-balances.js';
import { nameOf, sumOf } from './payment-events.js';
import { type AmountDue } from './currency-balances.js';
import { decisiveEvents, settle } from './settlement-rules.js';

const OWED: AmountDue = { totalMinor: 1_000, currency: 'EUR', review: null, createdAt: atMinute(0) };

describe('settle, with events that arrive late, twice and out of order', () => {
  const anEvent = (...types: PaymentEvent['type'][]): fc.Arbitrary<PaymentEvent> =>
    fc.record({
      provider: fc.constantFrom('stripe', 'custom'),
      eventId: fc.constantFrom('evt_1', 'evt_2', 'evt_3', 'evt_4', 'evt_5', 'evt_6'),
      refundId: fc.constantFrom('re_1', 're_2'),
      disputeId: fc.constantFrom('dp_1', 'dp_2', undefined),
      type: fc.constantFrom(...types),
      paymentId: fc.constantFrom('pay_1', 'pay_1', 'pay_1', 'pay_2'),
      amountMinor: fc.constantFrom(1_000, 1_000, 1_000, 400, 600, 1),
      currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'EUR', 'USD'),
      occurredAt: fc.constantFrom(atMinute(1), atMinute(2), atMinute(3)),
      cumulative: fc.boolean(),
    });
  const aSetOf = (event: fc.Arbitrary<PaymentEvent>): fc.Arbitrary<PaymentEvent[]> =>
    fc.uniqueArray(event, { maxLength: 8, selector: nameOf });
  const shuffledToo = (set: fc.Arbitrary<PaymentEvent[]>): fc.Arbitrary<[PaymentEvent[], PaymentEvent[]]> =>
    set.chain((events) => fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })));
  const aSet = aSetOf(anEvent(...PAYMENT_EVENT_TYPES, 'payment.succeeded', 'payment.succeeded'));
  const arrivals = shuffledToo(aSet);

  /** Applies events one by one, as they arrive. The delivery status follows while no plugin has a delivery. */
  function arrive(events: readonly PaymentEvent[]): { paymentStatus: PaymentStatus; deliveryStatus: DeliveryStatus } {
    let state: { paymentStatus: PaymentStatus; deliveryStatus: DeliveryStatus } = {
      paymentStatus: 'pending',
      deliveryStatus: 'none',
    };
    for (const [index] of events.entries()) {
      const settlement = settle(OWED, events.slice(0, index + 1));
      const deliveryStatus = deliveryAfter(state.deliveryStatus, settlement);
      const moves =
        canMove(PAYMENT_TRANSITIONS, state.paymentStatus, settlement.paymentStatus) &&
        canMove(DELIVERY_STATUS_TRANSITIONS, state.deliveryStatus, deliveryStatus);
      // Not an assertion: 80,000 of them take Jest 10 seconds.
      if (!moves) throw new Error(`no move from ${JSON.stringify([state, settlement.paymentStatus, deliveryStatus])}`);
      state = { paymentStatus: settlement.paymentStatus, deliveryStatus };
    }
    return state;
  }

  it('ends in the same state for every order of arrival, by allowed moves only', () => {
    fc.assert(
      fc.property(arrivals, ([events, shuffled]) => {
        expect(settle(OWED, shuffled)).toEqual(settle(OWED, events));
        expect(arrive(shuffled)).toEqual(arrive(events));
      }),
      { numRuns: 3_000 },
    );
  });

  it('depends on few events, also when others come later', () => {
    fc.assert(
      fc.property(arrivals, fc.nat({ max: 7 }), ([events, shuffled], count) => {
        let kept: readonly PaymentEvent[] = [];
        for (const arriving of shuffled) kept = decisiveEvents(OWED, [...kept, arriving]);
        expect(settle(OWED, kept)).toEqual(settle(OWED, events));
        const sorted = (set: readonly PaymentEvent[]): string[] => set.map((one) => JSON.stringify(one)).sort();
        expect(sorted(kept)).toEqual(sorted(decisiveEvents(OWED, events)));
        const later = [...decisiveEvents(OWED, events.slice(0, count)), ...events.slice(count)];
        expect(settle(OWED, later)).toEqual(settle(OWED, events));
      }),
      { numRuns: 3_000 },
    );
  });

  it('computes the same state when events are repeated', () => {
    fc.assert(
      fc.property(arrivals, ([events, shuffled]) => {
        expect(settle(OWED, [...events, ...shuffled])).toEqual(settle(OWED, events));
      }),
    );
  });

  it('marks an order as paid only by the exact amount in the right currency, and reverses no more than was received', () => {
    fc.assert(
      fc.property(aSet, (events) => {
        const { paymentStatus, paidAt, reversals } = settle(OWED, events);
        const exact = events.some(
          ({ type, amountMinor, currency }) =>
            type === 'payment.succeeded' && amountMinor === 1_000 && currency === 'EUR',
        );
        expect(paidAt !== null).toBe(exact);
        if (['paid', 'partially_refunded', 'refunded', 'charged_back'].includes(paymentStatus))
          expect(exact).toBe(true);
        const back = sumOf(reversals);
        expect(back).toBeLessThanOrEqual(1_000);
        if (paymentStatus === 'partially_refunded') expect(back > 0 && back < 1_000).toBe(true);
        if (paymentStatus === 'refunded' || paymentStatus === 'charged_back') expect(back).toBe(1_000);
        for (const balance of balancesOf(events)) {
          expect(sumOf(balance.reversals)).toBeLessThanOrEqual(balance.receivedMinor);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  /** Whether a dispute that has an id is open: its opening is later than everything else about it. */
  const hasOpenDispute = (events: readonly PaymentEvent[]): boolean =>
    events.some(
      (opened) =>
        opened.type === 'dispute.opened' &&
        opened.disputeId !== undefined &&
        events.every(
          (other) =>
            other === opened ||
            !other.type.startsWith('dispute.') ||
            other.provider !== opened.provider ||
            other.paymentId !== opened.paymentId ||
            other.disputeId !== opened.disputeId ||
            other.occurredAt < opened.occurredAt,
        ),
    );

  it('keeps the deliveries of two orders waiting while a dispute of one of their payments is open, and both independent', () => {
    let disputed = 0;
    const money = aSetOf(
      anEvent('payment.succeeded', 'dispute.opened', 'dispute.opened', 'dispute.won', 'dispute.lost'),
    );
    fc.assert(
      fc.property(shuffledToo(money), fc.infiniteStream(fc.boolean()), ([events, shuffled], choices) => {
        const first = new Set(events.filter(() => choices.next().value === true));
        for (const isOwn of [(event: PaymentEvent) => first.has(event), (event: PaymentEvent) => !first.has(event)]) {
          const own = events.filter(isOwn);
          const state = arrive(shuffled.filter(isOwn));
          expect(state).toEqual(arrive(own));
          if (!hasOpenDispute(own) || settle(OWED, own).paidAt === null) continue;
          disputed++;
          expect(['disputed', 'needs_review']).toContain(state.paymentStatus);
          expect(moneyHolder({ status: 'completed', ...state })).toBe('unclear');
          expect(['queued', 'leased']).not.toContain(state.deliveryStatus);
        }
      }),
      { numRuns: 3_000 },
    );
    expect(disputed).toBeGreaterThan(100);
  });
});
