import { describe, expect, it } from '@jest/globals';
import { canMove, statesBefore, type Transitions } from './transitions.js';

const DOOR: Transitions<'open' | 'closed' | 'locked'> = {
  open: ['closed'],
  closed: ['open', 'locked'],
  locked: ['closed'],
};

describe('a table of transitions', () => {
  it('allows the transitions that a table lists, and staying in a state', () => {
    expect(canMove(DOOR, 'open', 'closed')).toBe(true);
    expect(canMove(DOOR, 'locked', 'locked')).toBe(true);
  });

  it('allows no other move', () => {
    expect(canMove(DOOR, 'open', 'locked')).toBe(false);
  });

  it('names the states before a state, without the state itself', () => {
    expect(statesBefore(DOOR, 'closed')).toEqual(['open', 'locked']);
    expect(statesBefore(DOOR, 'locked')).toEqual(['closed']);
  });
});
