import { describe, expect, it } from '@jest/globals';
import { canMove } from '../common/states/transitions.js';
import { DELIVERY_TRANSITIONS, ORDER_TRANSITIONS, PAYMENT_TRANSITIONS } from './order-transitions.js';
import { DELIVERY_STATUSES, ORDER_STATUSES, PAYMENT_STATUSES } from './order.types.js';

describe('Transitions', () => {
  it.each([
    ['order', ORDER_TRANSITIONS, ORDER_STATUSES],
    ['payment', PAYMENT_TRANSITIONS, PAYMENT_STATUSES],
    ['delivery', DELIVERY_TRANSITIONS, DELIVERY_STATUSES],
  ] as const)('of the %s know every state, and each once', (_name, table, states) => {
    expect(Object.keys(table).sort()).toEqual([...states].sort());
    for (const [from, targets] of Object.entries<readonly string[]>(table)) {
      expect(new Set(targets).size).toBe(targets.length);
      expect(targets).not.toContain(from);
      for (const target of targets) expect(states).toContain(target);
    }
  });

  it('let every state stay', () => {
    for (const status of PAYMENT_STATUSES) expect(canMove(PAYMENT_TRANSITIONS, status, status)).toBe(true);
  });

  it('bring no cancelled order back, but complete an expired one that is paid late', () => {
    expect(ORDER_TRANSITIONS.cancelled).toEqual([]);
    expect(canMove(ORDER_TRANSITIONS, 'expired', 'completed')).toBe(true);
    expect(canMove(ORDER_TRANSITIONS, 'completed', 'expired')).toBe(false);
  });

  it('never make money that was there into money that was never there', () => {
    const never = ['pending', 'authorized', 'failed'] as const;
    for (const there of PAYMENT_STATUSES.filter((status) => !never.some((one) => one === status))) {
      for (const status of never) expect(canMove(PAYMENT_TRANSITIONS, there, status)).toBe(false);
    }
  });

  it('hold back what waits, and not what a plugin has taken', () => {
    expect(canMove(DELIVERY_TRANSITIONS, 'queued', 'revoked')).toBe(true);
    for (const taken of ['leased', 'delivered'] as const) {
      expect(canMove(DELIVERY_TRANSITIONS, taken, 'revoked')).toBe(false);
    }
  });
});
