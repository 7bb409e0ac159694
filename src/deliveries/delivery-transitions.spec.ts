import { describe, expect, it } from '@jest/globals';
import { canMove, statesBefore } from '../common/states/transitions.js';
import { DELIVERY_TRANSITIONS } from './delivery-transitions.js';
import { DELIVERY_STATES } from './delivery.types.js';

describe('DELIVERY_TRANSITIONS', () => {
  it('has every state', () => {
    expect(Object.keys(DELIVERY_TRANSITIONS).sort()).toEqual([...DELIVERY_STATES].sort());
  });

  it('holds back only what waits, and queues again only what was held back', () => {
    expect(statesBefore(DELIVERY_TRANSITIONS, 'revoked')).toEqual(['queued']);
    expect(statesBefore(DELIVERY_TRANSITIONS, 'queued')).toEqual(['revoked']);
  });

  it('lets a plugin finish what it has taken, and nothing else', () => {
    for (const end of ['delivered', 'failed'] as const) {
      expect(canMove(DELIVERY_TRANSITIONS, 'leased', end)).toBe(true);
      expect(DELIVERY_TRANSITIONS[end]).toEqual([]);
    }
  });
});
