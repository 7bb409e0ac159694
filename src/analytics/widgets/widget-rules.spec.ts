import { expect, it } from '@jest/globals';
import { percentReached, shownPlayer } from './widget-rules.js';

it.each([
  [0, 50_000, 0],
  [499, 50_000, 0],
  [500, 50_000, 1],
  [49_999, 50_000, 99],
  [50_000, 50_000, 100],
  [75_300, 50_000, 150],
  [-1, 50_000, 0],
  [10 ** 13, 10 ** 13, 100],
])('returns for %d of %d that %d %% is reached', (reached, target, percent) => {
  expect(percentReached(reached, target)).toBe(percent);
});

it.each([
  ['Steve_42', 'Steve_42'],
  ['erased-5d1f0c3b7a9e2468ace01357', 'somebody'],
  ['erased-by_steve', 'erased-by_steve'],
  ['erased-5d1f0c3b7a9e2468ace013579', 'erased-5d1f0c3b7a9e2468ace013579'],
])('shows the player %s as %s', (nickname, expected) => {
  expect(shownPlayer(nickname)).toBe(expected);
});
