import { describe, expect, it } from '@jest/globals';
import { ORDER_STATUSES, PAYMENT_STATUSES } from './order.types.js';
import { awaitsMoney, awaitsPayment, isPayable } from './payability.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const OPEN = { status: 'open', paymentStatus: 'pending', expiresAt: new Date(NOW.getTime() + 1) } as const;

describe('isPayable', () => {
  it('accepts an open order before its end, unless a payment is in progress or was made', () => {
    expect(isPayable(OPEN, NOW)).toBe(true);
    expect(isPayable({ ...OPEN, expiresAt: NOW }, NOW)).toBe(false);
    expect(ORDER_STATUSES.filter((status) => isPayable({ ...OPEN, status }, NOW))).toEqual(['open']);
    const payable = PAYMENT_STATUSES.filter((paymentStatus) => isPayable({ ...OPEN, paymentStatus }, NOW));
    expect(payable).toEqual(['pending', 'processing', 'failed']);
  });
});

describe('awaitsPayment', () => {
  it('accepts exactly the unpaid payment states', () => {
    const awaited = PAYMENT_STATUSES.filter((paymentStatus) => awaitsPayment({ paymentStatus }));
    expect(awaited.sort()).toEqual(['authorized', 'failed', 'pending', 'processing']);
  });
});

describe('awaitsMoney', () => {
  it('accepts an unpaid order in every state but cancelled', () => {
    expect(ORDER_STATUSES.filter((status) => !awaitsMoney({ ...OPEN, status }))).toEqual(['cancelled']);
    expect(awaitsMoney({ ...OPEN, paymentStatus: 'paid' })).toBe(false);
  });
});
