import { describe, expect, it } from '@jest/globals';
import { eventsOfPlacement } from './order-events.js';

const NOW = new Date('2026-11-22T12:00:00.000Z');

describe('eventsOfPlacement', () => {
  it('publishes a new order with its code, and one with nothing to pay as paid', () => {
    const discount = { discountId: 'd', code: 'SUMMER', amountMinor: 100 };
    const created = (discountId: string | null) => ({ type: 'order.created', subjectId: 'o', details: { discountId } });
    expect(eventsOfPlacement({ id: 'o', discount: null, paidAt: null })).toEqual([created(null)]);
    const paid = { type: 'order.paid', subjectId: 'o' };
    expect(eventsOfPlacement({ id: 'o', discount, paidAt: NOW })).toEqual([created('d'), paid]);
  });
});
