import { expect, it } from '@jest/globals';
import { availabilityOf, isShownAt, NO_TERMS, type SellingTerms, termProblems } from './selling-terms.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const at = (ms: number): Date => new Date(NOW.getTime() + ms);

it.each<[Partial<SellingTerms>, string, boolean]>([
  [{}, 'available', true],
  [{ availableFrom: at(-1) }, 'available', true],
  [{ availableFrom: at(0) }, 'available', true],
  [{ availableFrom: at(1) }, 'upcoming', false],
  [{ availableFrom: at(1), showBefore: true }, 'upcoming', true],
  [{ availableUntil: at(1) }, 'available', true],
  [{ availableUntil: at(0) }, 'ended', false],
  [{ availableUntil: at(0), showBefore: true }, 'ended', false],
  [{ availableFrom: at(-2), availableUntil: at(-1), showBefore: true }, 'ended', false],
  [{ availableFrom: at(1), availableUntil: at(2), showBefore: true }, 'upcoming', true],
])('says of the terms %j at a moment: %s, and shown: %s', (terms, availability, isShown) => {
  const all = { ...NO_TERMS, ...terms };
  expect([availabilityOf(all, NOW), isShownAt(all, NOW)]).toEqual([availability, isShown]);
});

it('rejects a product that can never be bought', () => {
  const problem = 'availableUntil must be after availableFrom';
  expect(termProblems({ ...NO_TERMS, availableFrom: at(0), availableUntil: at(0) })).toEqual([problem]);
  expect(termProblems({ ...NO_TERMS, availableFrom: at(0), availableUntil: at(1) })).toEqual([]);
});
