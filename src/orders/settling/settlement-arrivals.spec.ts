import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { atMinute } from '../../../test/support/payment-events.js';
import { canMove } from '../../platform/states/transitions.js';
import { deliveryAfter } from '../order/order-rules.js';
import { DELIVERY_STATUS_TRANSITIONS, PAYMENT_TRANSITIONS } from '../order/order-transitions.js';
import { type DeliveryStatus, type PaymentStatus } from '../order/order.types.js';
import { PAYMENT_EVENT_TYPES, type PaymentEvent } from '../order/payment-event.types.js';
import { decisiveEvents, type Owed, settle } from './settlement-rules.js';

const OWED: Owed = { totalMinor: 1_000, currency: 'EUR', review: null, createdAt: atMinute(0) };

describe('settle, with events that arrive late, twice and out of order', () => {
  const anEvent = fc.record({
    provider: fc.constantFrom('stripe', 'custom'),
    eventId: fc.constantFrom('evt_1', 'evt_2', 'evt_3', 'evt_4', 'evt_5', 'evt_6'),
    refundId: fc.constantFrom('re_1', 're_2'),
    type: fc.constantFrom(...PAYMENT_EVENT_TYPES),
    paymentId: fc.constantFrom('pay_1', 'pay_1', 'pay_1', 'pay_2'),
    amountMinor: fc.constantFrom(1_000, 1_000, 1_000, 400, 600, 1),
    currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'EUR', 'USD'),
    occurredAt: fc.constantFrom(atMinute(1), atMinute(2), atMinute(3)),
    cumulative: fc.boolean(),
  });
  const aSet = fc.uniqueArray(anEvent, {
    maxLength: 7,
    selector: ({ provider, eventId }) => `${provider} ${eventId}`,
  });
  const arrivals = aSet.chain((events) =>
    fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })),
  );

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

  it('does not change when events are repeated', () => {
    fc.assert(
      fc.property(arrivals, ([events, shuffled]) => {
        expect(settle(OWED, [...events, ...shuffled])).toEqual(settle(OWED, events));
      }),
    );
  });

  it('is paid only by the exact amount in the right currency, and refunds no more than was paid', () => {
    fc.assert(
      fc.property(aSet, (events) => {
        const { paymentStatus, paidAt, reversals } = settle(OWED, events);
        const exact = events.some(
          ({ type, amountMinor, currency }) =>
            type === 'payment.succeeded' && amountMinor === 1_000 && currency === 'EUR',
        );
        expect(paidAt !== null).toBe(exact);
        if (['paid', 'partially_refunded', 'refunded'].includes(paymentStatus)) expect(exact).toBe(true);
        const refunded = reversals.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
        if (paymentStatus === 'partially_refunded') expect(refunded > 0 && refunded < 1_000).toBe(true);
        if (paymentStatus === 'refunded') expect(refunded).toBe(1_000);
      }),
    );
  });
});
