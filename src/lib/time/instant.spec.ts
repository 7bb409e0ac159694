import { describe, expect, it } from '@jest/globals';
import { IANAZone } from 'luxon';
import { CalendarDay, hasCalendarDay, parseInstant, parseMoment, withInstants } from './instant.js';

describe('An instant', () => {
  it.each([
    ['2026-11-21T12:00:00Z', '2026-11-21T12:00:00.000Z'],
    ['2026-11-21T12:00:00.5+01:00', '2026-11-21T11:00:00.500Z'],
    ['2026-11-21T12:00-23:59', '2026-11-22T11:59:00.000Z'],
  ])('reads the instant %s as %s', (text, instant) => {
    expect(parseInstant(text)?.toISOString()).toBe(instant);
  });

  it.each([
    '2026-11-21T12:00:00+99:99',
    '2026-11-21T12:00:00+24:00',
    '2026-11-21T12:00:00-00:60',
    '2026-11-21T12:00:00+1:00',
    '2026-11-21T25:00:00Z',
    '2026-11-21T12:60:00Z',
    '2026-02-30T12:00:00Z',
    '2026-11-21T12:00:00',
    '2026-11-21',
  ])('rejects the instant %s', (text) => {
    expect(parseInstant(text)).toBeNull();
  });
});

describe('a moment', () => {
  it.each([
    ['2026-11-21T13:00+01:00', '2026-11-21T12:00:00.000Z'],
    ['2026-11-21T13:00:00 01:00', '2026-11-21T12:00:00.000Z'],
  ])('reads the instant %s', (text, instant) => {
    expect(parseMoment(text)).toEqual(new Date(instant));
  });

  it.each([
    ['2026-12-24', 'Europe/Berlin', '2026-12-23T23:00:00.000Z'],
    ['2026-07-24', 'Europe/Berlin', '2026-07-23T22:00:00.000Z'],
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
    ['2026-10-26', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
    ['2026-12-24', 'America/New_York', '2026-12-24T05:00:00.000Z'],
    ['2028-02-29', 'Asia/Kathmandu', '2028-02-28T18:15:00.000Z'],
    // The clocks go from midnight to one o'clock, so the day begins at one.
    ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
    // The clocks go back to midnight, which comes twice: the first one counts.
    ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z'],
  ])('reads the day %s in %s as its first instant', (text, name, instant) => {
    const day = parseMoment(text);
    expect(withInstants({ day }, IANAZone.create(name))).toEqual({ day: new Date(instant) });
  });

  it.each(['2026-02-30', '2026-13-01', '2026-1-1', '20261224', '2026-12-24 ', '2026-12-24T00:00:00', '24.12.2026', ''])(
    'rejects %j',
    (text) => {
      expect(parseMoment(text)).toBeNull();
    },
  );

  it('leaves all other values as they are', () => {
    const values = { from: new Date(0), to: null, name: '2026-12-24', limit: undefined };
    expect(hasCalendarDay(values)).toBe(false);
    expect(hasCalendarDay({ ...values, to: new CalendarDay(0) })).toBe(true);
    expect(withInstants(values, IANAZone.create('Europe/Berlin'))).toEqual(values);
  });
});
