import { describe, expect, it } from '@jest/globals';
import { MINUTE_MS } from '../../lib/time/durations.js';
import { CODE_LIFETIME_MS, isLockedOut, maySend, secondsToTomorrow, withNewCode } from './nickname-code-rules.js';
import { type CodeState } from './nickname-code.types.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const minutesAgo = (minutes: number): Date => new Date(NOW.getTime() - minutes * MINUTE_MS);
const state = (fields: Partial<CodeState> = {}): CodeState => ({
  codeHash: 'before',
  attemptsLeft: 2,
  expiresAt: minutesAgo(1),
  usedAt: minutesAgo(5),
  day: '2026-11-21',
  failedToday: 7,
  sentToday: 1,
  sentAt: [minutesAgo(11)],
  ...fields,
});

describe('maySend', () => {
  it.each([
    ['the first code', null, true],
    ['the third within an hour', state({ sentAt: [minutesAgo(59), minutesAgo(1)] }), true],
    ['the fourth within an hour', state({ sentAt: [minutesAgo(59), minutesAgo(30), minutesAgo(1)] }), false],
    ['the fourth, an hour after the first', state({ sentAt: [minutesAgo(60), minutesAgo(30), minutesAgo(1)] }), true],
    ['the tenth of a day', state({ sentToday: 9 }), true],
    ['the eleventh of a day', state({ sentToday: 10 }), false],
    ['the first of the next day', state({ sentToday: 10, day: '2026-11-20' }), true],
    [
      'the fourth within an hour across midnight',
      state({ day: '2026-11-20', sentAt: [minutesAgo(3), minutesAgo(2), minutesAgo(1)] }),
      false,
    ],
  ])('decides about %s: %j', (_name, before, expected) => {
    expect(maySend(before, NOW)).toBe(expected);
  });
});

describe('withNewCode', () => {
  it('gives new attempts for 10 minutes, and keeps the failures of the day', () => {
    expect(withNewCode(state(), 'new', NOW, CODE_LIFETIME_MS)).toEqual({
      codeHash: 'new',
      attemptsLeft: 5,
      expiresAt: new Date('2026-11-21T12:10:00.000Z'),
      usedAt: null,
      day: '2026-11-21',
      failedToday: 7,
      sentToday: 2,
      sentAt: [minutesAgo(11), NOW],
    });
  });

  it("drops yesterday's counts and the emails that are older than an hour", () => {
    const before = state({ day: '2026-11-20', sentToday: 10, sentAt: [minutesAgo(61), minutesAgo(59)] });
    expect(withNewCode(before, 'new', NOW, CODE_LIFETIME_MS)).toMatchObject({
      day: '2026-11-21',
      failedToday: 0,
      sentToday: 1,
      sentAt: [minutesAgo(59), NOW],
    });
  });

  it('starts with zero counts for the first code', () => {
    expect(withNewCode(null, 'new', NOW, 1)).toMatchObject({ failedToday: 0, sentToday: 1, sentAt: [NOW] });
  });
});

describe('isLockedOut', () => {
  it.each([
    ['without a code', null, false],
    ['after 19 failures', state({ failedToday: 19 }), false],
    ['after 20 failures', state({ failedToday: 20 }), true],
    ['after 20 failures yesterday', state({ failedToday: 20, day: '2026-11-20' }), false],
  ])('decides about a lockout %s', (_name, given, expected) => {
    expect(isLockedOut(given, NOW)).toBe(expected);
  });
});

describe('secondsToTomorrow', () => {
  it.each([
    ['2026-11-21T00:00:00.000Z', 86_400],
    ['2026-11-21T12:00:00.000Z', 43_200],
    ['2026-11-21T23:59:59.001Z', 1],
  ])('counts at %s %d seconds to tomorrow', (now, seconds) => {
    expect(secondsToTomorrow(new Date(now))).toBe(seconds);
  });
});
