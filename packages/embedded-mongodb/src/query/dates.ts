import { ObjectId, Timestamp } from 'bson';
import { DateTime, IANAZone } from 'luxon';
import { fail } from '../errors.js';
import { isDoc, type Maybe, typeName } from '../values/types.js';
import { type Operator } from './operands.js';

/** The moment in its time zone; a zone is an Olson name or an offset (manual: reference/operator/aggregation/year). */
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

const sundayWeek = (date: DateTime): number => Math.floor((date.ordinal + 6 - (date.weekday % 7)) / 7);

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
};
