import { describe, expect, it } from '@jest/globals';
import { canMove } from '../../lib/states/transitions.js';
import {
  DELIVERY_STATUS_TRANSITIONS,
  DELIVERY_STATUS_BY_PAYMENT,
  ORDER_TRANSITIONS,
  PAYMENT_TRANSITIONS,
  REVIEW_TRANSITIONS,
} from './order-transitions.js';
import { DELIVERY_STATUSES, ORDER_STATUSES, PAYMENT_STATUSES } from './order.types.js';

describe('The states of an order', () => {
  it.each([
    ['order', ORDER_TRANSITIONS, ORDER_STATUSES],
    ['payment', PAYMENT_TRANSITIONS, PAYMENT_STATUSES],
    ['review', REVIEW_TRANSITIONS, PAYMENT_STATUSES],
    ['delivery', DELIVERY_STATUS_TRANSITIONS, DELIVERY_STATUSES],
    ['delivery status by payment', DELIVERY_STATUS_BY_PAYMENT, DELIVERY_STATUSES],
  ] as const)('lists every state in the table of the %s, and each transition once', (_name, table, states) => {
    expect(Object.keys(table).sort()).toEqual([...states].sort());
    for (const [from, targets] of Object.entries<readonly string[]>(table)) {
      expect(new Set(targets).size).toBe(targets.length);
      expect(targets).not.toContain(from);
      for (const target of targets) expect(states).toContain(target);
    }
  });

  it('keeps a cancelled order cancelled, and completes an expired one that is paid late', () => {
    expect(ORDER_TRANSITIONS.cancelled).toEqual([]);
    expect(canMove(ORDER_TRANSITIONS, 'expired', 'completed')).toBe(true);
    expect(canMove(ORDER_TRANSITIONS, 'completed', 'expired')).toBe(false);
  });

  it.each(['held', 'delivered', 'failed', 'revoked'] as const)(
    'allows an order that is %s to be queued again, because each of its deliveries moves alone',
    (from) => {
      for (const to of ['queued', 'leased'] as const) expect(canMove(DELIVERY_STATUS_TRANSITIONS, from, to)).toBe(true);
    },
  );

  it('turns no received payment into one that was not received', () => {
    const notReceived = ['pending', 'processing', 'authorized', 'failed'] as const;
    for (const received of PAYMENT_STATUSES.filter((status) => !notReceived.some((one) => one === status))) {
      for (const status of notReceived) expect(canMove(PAYMENT_TRANSITIONS, received, status)).toBe(false);
    }
  });
});
