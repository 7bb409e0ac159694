import { describe, expect, it } from '@jest/globals';
import { canMove, statesBefore } from '../../lib/states/transitions.js';
import { DELIVERY_TRANSITIONS, REDELIVERY_TRANSITIONS } from './delivery-transitions.js';
import { DELIVERY_STATES } from './delivery.types.js';

describe('The transitions of a delivery', () => {
  it.each([DELIVERY_TRANSITIONS, REDELIVERY_TRANSITIONS])(
    'lists the transitions of every state, each once',
    (table) => {
      expect(Object.keys(table).sort()).toEqual([...DELIVERY_STATES].sort());
      for (const [from, targets] of Object.entries<readonly string[]>(table)) {
        expect(new Set(targets).size).toBe(targets.length);
        expect(targets).not.toContain(from);
      }
    },
  );

  it('allows to hold and revoke only what is not delivered, and to queue again only what was held or revoked', () => {
    expect(statesBefore(DELIVERY_TRANSITIONS, 'held')).toEqual(['queued', 'leased', 'revoked']);
    expect(statesBefore(DELIVERY_TRANSITIONS, 'revoked')).toEqual(['queued', 'held', 'leased']);
    expect(statesBefore(DELIVERY_TRANSITIONS, 'queued')).toEqual(['held', 'revoked']);
  });

  it('allows to lease only what waits, and to fail only what waits or is leased', () => {
    expect(statesBefore(DELIVERY_TRANSITIONS, 'leased')).toEqual(['queued']);
    expect(statesBefore(DELIVERY_TRANSITIONS, 'failed')).toEqual(['queued', 'leased']);
  });

  it('accepts a late report of a delivery in every state, and keeps what is delivered', () => {
    for (const state of DELIVERY_STATES) expect(canMove(DELIVERY_TRANSITIONS, state, 'delivered')).toBe(true);
    expect(DELIVERY_TRANSITIONS.delivered).toEqual([]);
  });

  it('lets staff queue again what failed or was delivered, and nothing that a payment held back', () => {
    expect(statesBefore(REDELIVERY_TRANSITIONS, 'queued')).toEqual(['delivered', 'failed']);
    expect(Object.values(REDELIVERY_TRANSITIONS).flat()).toEqual(['queued', 'queued']);
  });
});
