import { describe, expect, it } from '@jest/globals';
import { eventsOfPlacement } from './order-events.js';

const NOW = new Date('2026-11-22T12:00:00.000Z');

const discount = { discountId: 'd', code: 'SUMMER', amountMinor: 100 };

describe('eventsOfPlacement', () => {
  it.each([
    ['an order that is not paid', { origin: 'checkout', discount: null, paidAt: null }, false],
    ['an order with nothing to pay', { origin: 'checkout', discount, paidAt: NOW }, true],
    ['a grant', { origin: 'grant', discount: null, paidAt: null }, false],
    ['a sale that was paid outside', { origin: 'paid_outside', discount: null, paidAt: NOW }, true],
    ['a rehearsal', { origin: 'rehearsal', discount: null, paidAt: null }, true],
  ] as const)('publishes %s as created, with its code, and as paid: %j %j', (_, placed, isPaid) => {
    const details = { discountId: placed.discount?.discountId ?? null };
    const created = { type: 'order.created', subjectId: 'o', details };
    const paid = { type: 'order.paid', subjectId: 'o' };
    expect(eventsOfPlacement({ id: 'o', ...placed })).toEqual(isPaid ? [created, paid] : [created]);
  });
});
