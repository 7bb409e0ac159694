import { describe, expect, it } from '@jest/globals';
import { canMove, statesBefore } from '../../lib/states/transitions.js';
import {
  DECISION_TRANSITIONS,
  DELIVERY_TRANSITIONS,
  REDELIVERY_TRANSITIONS,
  RELEASE_TRANSITIONS,
} from './delivery-transitions.js';
import { DELIVERY_STATES, isDone } from './delivery.types.js';

describe('The transitions of a delivery', () => {
  it.each([DELIVERY_TRANSITIONS, REDELIVERY_TRANSITIONS, RELEASE_TRANSITIONS, DECISION_TRANSITIONS])(
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
    const open = DELIVERY_STATES.filter((state) => !isDone(state));
    for (const state of open) expect(canMove(DELIVERY_TRANSITIONS, state, 'delivered')).toBe(true);
    expect([DELIVERY_TRANSITIONS.delivered, DELIVERY_TRANSITIONS.handed_over]).toEqual([[], []]);
  });

  it('lets money and time move nothing that is uncertain, and staff and plugins decide it', () => {
    expect(DELIVERY_TRANSITIONS.uncertain).toEqual(['delivered', 'handed_over']);
    expect(statesBefore(DECISION_TRANSITIONS, 'failed')).toEqual(['uncertain']);
    expect(statesBefore(RELEASE_TRANSITIONS, 'queued')).toEqual(['leased']);
  });

  it('lets staff queue again what failed or was delivered, and nothing that a payment held back', () => {
    expect(statesBefore(REDELIVERY_TRANSITIONS, 'queued')).toEqual(['delivered', 'handed_over', 'uncertain', 'failed']);
    expect(new Set(Object.values(REDELIVERY_TRANSITIONS).flat())).toEqual(new Set(['queued']));
  });
});
