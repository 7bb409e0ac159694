import { DateTime, type IANAZone } from 'luxon';
import { type Interval } from '../orders/sales.types.js';
import { instantOf } from './local-time.js';
import { type Granularity } from './stats-buckets.js';
import {
  type ComparedPeriods,
  type Comparison,
  type NamedComparison,
  type NamedPeriod,
  type Period,
} from './stats-periods.js';

export const MAX_PERIOD_DAYS = 366;
export const MAX_HOURLY_DAYS = 31;

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** Local days may be an hour longer together than so many times 24 hours. */
const CLOCK_CHANGE_MS = HOUR_MS;
const EARLIEST = Date.UTC(2000, 0, 1);

/** A local date, or an instant with its offset. A `+` that was not percent-encoded arrives as a space. */
export const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+ -]\d{2}:\d{2}))?$/;
export const MOMENT_SAYS = 'must be a date such as 2026-03-01 or an instant such as 2026-03-01T12:00:00Z';

/** What a client chose, as it came. */
export interface PeriodQuery {
  readonly period: Period;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly compare: Comparison;
  readonly compareFrom?: string | undefined;
  readonly compareTo?: string | undefined;
}

/** What a client chose, understood. */
export interface ChosenPeriods {
  readonly chosen: NamedPeriod | Interval;
  readonly comparison: NamedComparison | Interval;
}

/** An instant as it is; a date is the local midnight at its start. Null for what the calendar does not have. */
export function parseMoment(text: string, zone: IANAZone): Date | null {
  if (!MOMENT.test(text)) return null;
  const moment = DateTime.fromISO(text.replace(' ', '+'), { zone: 'utc' });
  if (!moment.isValid) return null;
  return new Date(text.includes('T') ? moment.toMillis() : instantOf(moment.toMillis(), zone));
}

interface Bounds {
  readonly names: readonly [from: string, to: string];
  readonly texts: readonly [from: string | undefined, to: string | undefined];
}

function intervalProblems({ names: [fromName, toName] }: Bounds, { from, to }: Interval): string[] {
  if (from >= to) return [`${fromName} must be before ${toName}`];
  if (from.getTime() < EARLIEST) return [`${fromName} must not be before 2000-01-01`];
  if (to.getTime() - from.getTime() > MAX_PERIOD_DAYS * DAY_MS + CLOCK_CHANGE_MS) {
    return [`${fromName} and ${toName} must be at most ${MAX_PERIOD_DAYS} days apart`];
  }
  return [];
}

/** The interval of a custom period; what is wrong with it goes to `problems`. */
function customInterval(bounds: Bounds, zone: IANAZone, problems: string[]): Interval | null {
  const moments = bounds.texts.map((text) => (text === undefined ? null : parseMoment(text, zone)));
  const [from, to] = moments;
  if (!from || !to) {
    moments.forEach((moment, index) => {
      const name = bounds.names[index] ?? '';
      if (!moment) problems.push(bounds.texts[index] === undefined ? `${name} is missing` : `${name} ${MOMENT_SAYS}`);
    });
    return null;
  }
  problems.push(...intervalProblems(bounds, { from, to }));
  return { from, to };
}

/** Either a name or a custom interval. Bounds beside a name are refused: ignoring them would mislead. */
function choose<Name extends string>(
  parameter: string,
  name: Name | 'custom',
  bounds: Bounds,
  zone: IANAZone,
  problems: string[],
): Name | Interval | null {
  if (name === 'custom') return customInterval(bounds, zone, problems);
  if (bounds.texts.some((text) => text !== undefined)) {
    problems.push(`${bounds.names.join(' and ')} belong to ${parameter}=custom only`);
  }
  return name;
}

/** Understands a client's choice, or says what is wrong with it: one sentence for each problem. */
export function readPeriods(query: PeriodQuery, zone: IANAZone, now: Date): ChosenPeriods | readonly string[] {
  const problems: string[] = [];
  const periodBounds: Bounds = { names: ['from', 'to'], texts: [query.from, query.to] };
  const compareBounds: Bounds = { names: ['compareFrom', 'compareTo'], texts: [query.compareFrom, query.compareTo] };
  const chosen = choose<NamedPeriod>('period', query.period, periodBounds, zone, problems);
  const comparison = choose<NamedComparison>('compare', query.compare, compareBounds, zone, problems);
  if (chosen !== null && typeof chosen !== 'string' && chosen.from > now) {
    problems.push('from must not be in the future');
  }
  if (comparison !== null && typeof comparison !== 'string' && comparison.to > now) {
    problems.push('compareTo must not be in the future');
  }
  return problems.length > 0 || chosen === null || comparison === null ? problems : { chosen, comparison };
}

/** What is wrong with a granularity for these periods, or null. */
export function granularityProblem(granularity: Granularity, { period, previous }: ComparedPeriods): string | null {
  const longestMs = Math.max(...[period, previous].map(({ from, to }) => to.getTime() - from.getTime()));
  if (granularity !== 'hour' || longestMs <= MAX_HOURLY_DAYS * DAY_MS + CLOCK_CHANGE_MS) return null;
  return `granularity=hour is for periods of at most ${MAX_HOURLY_DAYS} days`;
}
