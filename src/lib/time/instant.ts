import { type IANAZone } from 'luxon';
import { instantOf } from './local-time.js';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** Whether the calendar has this day. Node alone would turn 30 February into 2 March. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** Returns the instant that an ISO 8601 string with an offset names, or null. */
export function parseInstant(text: string): Date | null {
  const day = INSTANT.exec(text)?.[1];
  if (day === undefined || !isDay(day)) return null;
  const instant = new Date(text);
  return Number.isNaN(instant.getTime()) ? null : instant;
}

/** A day of the calendar, such as 2026-12-24. It becomes an instant once the time zone is known: `withInstants`. */
export class CalendarDay {
  constructor(
    /** Midnight at its start, as a clock in UTC shows it. */
    private readonly midnight: number,
  ) {}

  /** The first instant of the day in a time zone, also where a change of the clocks leaves out midnight. */
  startIn(zone: IANAZone): Date {
    return new Date(instantOf(this.midnight, zone));
  }
}

/** What clients write where an instant is expected: the instant, or a day for its start. */
export type Moment = Date | CalendarDay;

/** Reads a day or an instant; null for anything else. A `+` that a client did not encode in a query arrives as a space. */
export function parseMoment(text: string): Moment | null {
  if (text.includes('T')) return parseInstant(text.replace(' ', '+'));
  return DAY.test(text) && isDay(text) ? new CalendarDay(Date.parse(text)) : null;
}

/** Values with an instant for each calendar day. */
export type WithInstants<Values> = { [Name in keyof Values]: Exclude<Values[Name], CalendarDay> };

/** Whether one of the values is a calendar day. */
export function hasCalendarDay(values: object): boolean {
  return Object.values(values).some((value) => value instanceof CalendarDay);
}

/** Replaces each calendar day among the values by its start in the time zone. */
export function withInstants<Values extends object>(values: Values, zone: IANAZone): WithInstants<Values> {
  const entries = Object.entries(values).map(([name, value]: [string, unknown]) => [
    name,
    value instanceof CalendarDay ? value.startIn(zone) : value,
  ]);
  return Object.fromEntries(entries) as WithInstants<Values>;
}
