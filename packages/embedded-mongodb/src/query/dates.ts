import { ObjectId, Timestamp } from 'bson';
import { DateTime, IANAZone } from 'luxon';
import { fail } from '../errors.js';
import { integer, toNumber } from '../values/numbers.js';
import { type Doc, doc, isDoc, isNumber, type Maybe, shown, typeName } from '../values/types.js';
import { type Operator } from './operands.js';

/** The moment in its time zone; a zone is an Olson name or an offset (manual: reference/operator/aggregation/dateToString). */
function zoned(value: Maybe, zone: Maybe, name: string): DateTime {
  const millis =
    value instanceof Date
      ? value.getTime()
      : value instanceof ObjectId
        ? value.getTimestamp().getTime()
        : value instanceof Timestamp
          ? value.t * 1000
          : fail(16006, `can't convert from BSON type ${typeName(value)} to Date (${name})`);
  return DateTime.fromMillis(millis, { zone: zoneName(zone) });
}

function zoneName(zone: Maybe): string {
  if (zone == null) return 'utc';
  if (typeof zone !== 'string') return fail(40517, `timezone must evaluate to a string, found ${typeName(zone)}`);
  const offset = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (offset) return `utc${offset[1] ?? ''}${offset[2] ?? ''}:${offset[3] ?? '00'}`;
  if (zone === 'UTC' || zone === 'GMT' || zone === 'Z') return 'utc';
  return IANAZone.isValidZone(zone) ? zone : fail(40485, `unrecognized time zone identifier: "${zone}"`);
}

/** The options of a date operator; `null` when its date is null or missing. Unknown options are refused. */
function options(argument: Maybe, name: string, known: readonly string[]): Doc {
  if (!isDoc(argument)) return fail(18629, `${name} only supports an object as its argument`);
  for (const key of argument.keys()) if (!known.includes(key)) fail(18534, `Unrecognized argument to ${name}: ${key}`);
  return argument;
}

const part = (read: (date: DateTime) => number | bigint): Operator => [
  1,
  1,
  ([argument], name, [source]) => {
    const [first] = isDoc(source) ? source.keys() : [];
    const given = isDoc(argument) && isDoc(source) && !first?.startsWith('$') ? argument : undefined;
    for (const key of isDoc(source) && given ? source.keys() : [])
      if (key !== 'date' && key !== 'timezone') fail(40535, `unrecognized option to ${name}: "${key}"`);
    const [value, zone] = given ? [given.get('date'), given.get('timezone')] : [argument, undefined];
    return value == null || zone === null ? null : read(zoned(value, zone, name));
  },
];

const pad = (value: number, width: number): string => String(value).padStart(width, '0');
const sundayWeek = (date: DateTime): number => Math.floor((date.ordinal + 6 - (date.weekday % 7)) / 7);

const specifiers: Readonly<Record<string, (date: DateTime) => string>> = {
  '%': () => '%',
  Y: (date) => pad(date.year, 4),
  m: (date) => pad(date.month, 2),
  d: (date) => pad(date.day, 2),
  H: (date) => pad(date.hour, 2),
  M: (date) => pad(date.minute, 2),
  S: (date) => pad(date.second, 2),
  L: (date) => pad(date.millisecond, 3),
  j: (date) => pad(date.ordinal, 3),
  u: (date) => String(date.weekday),
  w: (date) => String((date.weekday % 7) + 1),
  U: (date) => pad(sundayWeek(date), 2),
  V: (date) => pad(date.weekNumber, 2),
  G: (date) => pad(date.weekYear, 4),
  z: (date) => date.toFormat('ZZZ'),
  Z: (date) => String(date.offset),
  b: (date) => date.setLocale('en').toFormat('LLL'),
  B: (date) => date.setLocale('en').toFormat('LLLL'),
};

function dateToString([argument]: Maybe[], name: string): Maybe {
  const given = options(argument, name, ['date', 'format', 'timezone', 'onNull']);
  const value = given.get('date');
  if (value == null) return given.has('onNull') ? given.get('onNull') : null;
  const zone = given.get('timezone');
  if (zone === null || given.get('format') === null) return null;
  const utc = zone === undefined || zoneName(zone) === 'utc';
  const format = given.get('format') ?? (utc ? '%Y-%m-%dT%H:%M:%S.%LZ' : '%Y-%m-%dT%H:%M:%S.%L');
  if (typeof format !== 'string')
    return fail(18533, `$dateToString requires that 'format' be a string, found: ${typeName(format)}`);
  const date = zoned(value, zone, name);
  return format.replace(/%(.?)/gs, (whole, letter: string) => {
    const print =
      specifiers[letter] ?? fail(letter === '' ? 18535 : 18536, `Invalid format character '${whole}' in format string`);
    return print(date);
  });
}

const units = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second', 'millisecond'] as const;
type Unit = (typeof units)[number];
const unitOf = (value: Maybe): Unit =>
  units.find((unit) => unit === value) ?? fail(9, `unknown time unit value: ${shown(value)}`);

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
function firstDay(value: Maybe): number {
  const name = typeof value === 'string' ? value.toLowerCase() : 'sunday';
  const index = weekdays.findIndex((day) => day === name || day.slice(0, 3) === name);
  return index < 0 ? fail(9, `unknown day of week value: ${name}`) : index + 1;
}

/** Start of the week (local midnight) whose first day is given (1 = Monday). */
const startOfWeek = (date: DateTime, first: number): DateTime =>
  date.startOf('day').minus({ days: (date.weekday - first + 7) % 7 });

/** Truncates to bins that are counted from 2000-01-01 local time, as the manual's page reference/operator/aggregation/dateTrunc says. */
function dateTrunc([argument]: Maybe[], name: string): Maybe {
  const given = options(argument, name, ['date', 'unit', 'binSize', 'timezone', 'startOfWeek']);
  const [value, size = 1, zone] = [given.get('date'), given.get('binSize'), given.get('timezone')];
  if (value == null || size === null || zone === null || given.get('unit') == null) return null;
  const [unit, date] = [unitOf(given.get('unit')), zoned(value, zone, name)];
  const bin =
    isNumber(size) && Number.isInteger(toNumber(size)) && toNumber(size) > 0
      ? toNumber(size)
      : fail(5439017, '$dateTrunc requires a positive binSize');
  const origin = DateTime.fromObject({ year: 2000 }, { zone: date.zone });
  const whole = (units: number): number => Math.floor(units / bin) * bin;
  if (unit === 'year' || unit === 'quarter' || unit === 'month') {
    const months = { year: 12, quarter: 3, month: 1 }[unit] * bin;
    const index = (date.year - 2000) * 12 + date.month - 1;
    return origin.plus({ months: Math.floor(index / months) * months }).toJSDate();
  }
  if (unit === 'week' || unit === 'day') {
    const first = firstDay(given.get('startOfWeek'));
    const from = unit === 'week' ? startOfWeek(origin.plus({ days: 6 }), first) : origin;
    const days = Math.floor((localDay(date) - localDay(from)) / (unit === 'week' ? 7 : 1));
    return from.plus({ days: whole(days) * (unit === 'week' ? 7 : 1) }).toJSDate();
  }
  const length = { hour: 3600000, minute: 60000, second: 1000, millisecond: 1 }[unit];
  const local = date.toMillis() + date.offset * 60000 - Date.UTC(2000, 0, 1);
  return new Date(date.toMillis() - (local - whole(Math.floor(local / length)) * length));
}

const localDay = (date: DateTime): number => Math.floor(Date.UTC(date.year, date.month - 1, date.day) / 86400000);

const shift = (sign: 1 | -1): Operator => [
  1,
  1,
  ([argument], name) => {
    const given = options(argument, name, ['startDate', 'unit', 'amount', 'timezone']);
    const [start, amount] = [given.get('startDate'), given.get('amount')];
    if (start == null || amount == null || given.get('unit') == null) return null;
    if (!isNumber(amount) || !Number.isInteger(toNumber(amount)))
      return fail(5166405, `${name} expects integer amount of time units`);
    return zoned(start, given.get('timezone'), name)
      .plus({ [unitOf(given.get('unit'))]: toNumber(amount) * sign })
      .toJSDate();
  },
];

/** Counts the boundaries of the unit between the two moments (manual: reference/operator/aggregation/dateDiff). */
function dateDiff([argument]: Maybe[], name: string): Maybe {
  const given = options(argument, name, ['startDate', 'endDate', 'unit', 'timezone', 'startOfWeek']);
  const [start, end, zone] = [given.get('startDate'), given.get('endDate'), given.get('timezone')];
  if (start == null || end == null || zone === null || given.get('unit') == null) return null;
  const unit = unitOf(given.get('unit'));
  const [a, b] = [zoned(start, zone, name), zoned(end, zone, name)];
  const floor = (date: DateTime): number => {
    if (unit === 'year') return date.year;
    if (unit === 'quarter') return date.year * 4 + date.quarter;
    if (unit === 'month') return date.year * 12 + date.month;
    if (unit === 'week') return localDay(startOfWeek(date, firstDay(given.get('startOfWeek')))) / 7;
    if (unit === 'day') return localDay(date);
    return date.startOf(unit).toMillis() / { hour: 3600000, minute: 60000, second: 1000, millisecond: 1 }[unit];
  };
  return integer(BigInt(Math.floor(floor(b) - floor(a))), true);
}

function dateToParts([argument]: Maybe[], name: string): Maybe {
  const given = options(argument, name, ['date', 'timezone']);
  const value = given.get('date');
  if (value == null || given.get('timezone') === null) return null;
  const { year, month, day, hour, minute, second, millisecond } = zoned(value, given.get('timezone'), name);
  return doc({ year, month, day, hour, minute, second, millisecond });
}

function dateFromParts([argument]: Maybe[], name: string): Maybe {
  const names = ['year', 'month', 'day', 'hour', 'minute', 'second', 'millisecond'];
  const given = options(argument, name, [...names, 'timezone']);
  if ([...given.values()].includes(null)) return null;
  const [year, month, ...rest] = names.map((key, index) => {
    const value = given.get(key) ?? (index === 1 || index === 2 ? 1 : 0);
    return isNumber(value)
      ? toNumber(value)
      : fail(40515, `'${key}' must evaluate to an integer, found ${typeName(value)}`);
  });
  const [day = 1, hours = 0, minutes = 0, seconds = 0, milliseconds = 0] = rest;
  const start = DateTime.fromObject(
    { year: year ?? fail(40516, "$dateFromParts requires 'year'") },
    { zone: zoneName(given.get('timezone')) },
  );
  return start
    .plus({ months: (month ?? 1) - 1 })
    .plus({ days: day - 1 })
    .plus({ hours, minutes, seconds, milliseconds })
    .toJSDate();
}

/** The operators on dates (manual: reference/operator/aggregation/#date-expression-operators). */
export const dateOperators: Readonly<Record<string, Operator | undefined>> = {
  $year: part((date) => date.year),
  $month: part((date) => date.month),
  $dayOfMonth: part((date) => date.day),
  $hour: part((date) => date.hour),
  $minute: part((date) => date.minute),
  $second: part((date) => date.second),
  $millisecond: part((date) => date.millisecond),
  $dayOfYear: part((date) => date.ordinal),
  $dayOfWeek: part((date) => (date.weekday % 7) + 1),
  $week: part(sundayWeek),
  $isoWeek: part((date) => date.weekNumber),
  $isoWeekYear: part((date) => BigInt(date.weekYear)),
  $isoDayOfWeek: part((date) => date.weekday),
  $dateToString: [1, 1, dateToString],
  $dateTrunc: [1, 1, dateTrunc],
  $dateAdd: shift(1),
  $dateSubtract: shift(-1),
  $dateDiff: [1, 1, dateDiff],
  $dateToParts: [1, 1, dateToParts],
  $dateFromParts: [1, 1, dateFromParts],
};
