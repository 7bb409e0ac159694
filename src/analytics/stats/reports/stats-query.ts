import { type IANAZone } from 'luxon';
import { DAY_MS, HOUR_MS } from '../../../lib/time/durations.js';
import { instantOf } from '../../../lib/time/local-time.js';
import { CalendarDay, parseMoment } from '../../../lib/time/instant.js';
import { type Interval } from '../rollups/sales.types.js';
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

/** Several local days together may be an hour longer than that many times 24 hours. */
const CLOCK_CHANGE_MS = HOUR_MS;
/** The first day that a period may have, in the time zone of the request. */
const EARLIEST = Date.UTC(2000, 0, 1);

/** A local date, or an instant with its offset. A `+` that the client did not percent-encode arrives as a space. */
export const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+ -](0\d|1[0-4]):[0-5]\d))?$/;
export const MOMENT_SAYS = 'must be a date such as 2026-03-01 or an instant such as 2026-03-01T12:00:00Z';

/** The periods of a request, as the client wrote them. */
export interface PeriodQuery {
  readonly period: Period;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly compare: Comparison;
  readonly compareFrom?: string | undefined;
  readonly compareTo?: string | undefined;
}

/** The periods of a request, parsed. */
export interface ChosenPeriods {
  readonly chosen: NamedPeriod | Interval;
  readonly comparison: NamedComparison | Interval;
}

/** Reads an instant, or a date, which is the local midnight at its start. Null for a date that does not exist. */
export function instantFrom(text: string, zone: IANAZone): Date | null {
  const moment = MOMENT.test(text) ? parseMoment(text) : null;
  return moment instanceof CalendarDay ? moment.startIn(zone) : moment;
}

interface Bounds {
  readonly names: readonly [from: string, to: string];
  readonly values: readonly [from: string | undefined, to: string | undefined];
}

function intervalProblems({ names: [fromName, toName] }: Bounds, { from, to }: Interval, zone: IANAZone): string[] {
  if (from >= to) return [`${fromName} must be before ${toName}`];
  if (from.getTime() < instantOf(EARLIEST, zone)) return [`${fromName} must not be before 2000-01-01`];
  if (to.getTime() - from.getTime() > MAX_PERIOD_DAYS * DAY_MS + CLOCK_CHANGE_MS) {
    return [`${fromName} and ${toName} must be at most ${MAX_PERIOD_DAYS} days apart`];
  }
  return [];
}

/** Reads the interval of a custom period. Adds what is wrong with it to `problems`. */
function customInterval(bounds: Bounds, zone: IANAZone, problems: string[]): Interval | null {
  const moments = bounds.values.map((text) => (text === undefined ? null : instantFrom(text, zone)));
  const [from, to] = moments;
  if (!from || !to) {
    moments.forEach((moment, index) => {
      const name = bounds.names[index] ?? '';
      if (!moment) problems.push(bounds.values[index] === undefined ? `${name} is required, for example 2026-03-01` : `${name} ${MOMENT_SAYS}`);
    });
    return null;
  }
  problems.push(...intervalProblems(bounds, { from, to }, zone));
  return { from, to };
}

/** Reads a name or a custom interval. Bounds together with a name are an error: ignoring them would mislead the client. */
function choose<Name extends string>(
  parameter: string,
  name: Name | 'custom',
  bounds: Bounds,
  zone: IANAZone,
  problems: string[],
): Name | Interval | null {
  if (name === 'custom') return customInterval(bounds, zone, problems);
  if (bounds.values.some((text) => text !== undefined)) {
    problems.push(`${bounds.names.join(' and ')} are allowed only with ${parameter}=custom`);
  }
  return name;
}

/** Reads the periods of a request, or returns one sentence for each problem. */
export function readPeriods(query: PeriodQuery, zone: IANAZone, now: Date): ChosenPeriods | readonly string[] {
  const problems: string[] = [];
  const periodBounds: Bounds = { names: ['from', 'to'], values: [query.from, query.to] };
  const compareBounds: Bounds = { names: ['compareFrom', 'compareTo'], values: [query.compareFrom, query.compareTo] };
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

/** The problems of a granularity for these periods. */
export function granularityProblems(granularity: Granularity, { period, previous }: ComparedPeriods): string[] {
  const longestMs = Math.max(...[period, previous].map(({ from, to }) => to.getTime() - from.getTime()));
  if (granularity !== 'hour' || longestMs <= MAX_HOURLY_DAYS * DAY_MS + CLOCK_CHANGE_MS) return [];
  return [`granularity=hour is for periods of at most ${MAX_HOURLY_DAYS} days`];
}
