import { describe, expect, it } from '@jest/globals';
import { canMove } from '../../lib/states/transitions.js';
import { REDEMPTION_STATES, REDEMPTION_TRANSITIONS, type RedemptionState } from './redemption.types.js';

const ALLOWED: ReadonlySet<string> = new Set(['reserved > redeemed', 'reserved > released', 'released > redeemed']);
const moves: [RedemptionState, RedemptionState][] = REDEMPTION_STATES.flatMap((from) =>
  REDEMPTION_STATES.filter((to) => to !== from).map((to): [RedemptionState, RedemptionState] => [from, to]),
);

describe('REDEMPTION_TRANSITIONS', () => {
  it.each(moves)('allows the transition %s > %s only if the life of a use has that step', (from, to) => {
    expect(canMove(REDEMPTION_TRANSITIONS, from, to)).toBe(ALLOWED.has(`${from} > ${to}`));
  });
});
