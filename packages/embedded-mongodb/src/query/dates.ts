import { ObjectId, Timestamp } from 'bson';
import { fail } from '../errors.js';
import { isDoc, type Maybe, typeName } from '../values/types.js';
import { type Operator } from './operands.js';

function dateOf(value: Maybe, name: string): Date {
  if (value instanceof Date) return value;
  if (value instanceof ObjectId) return value.getTimestamp();
  if (value instanceof Timestamp) return new Date(value.t * 1000);
  return fail(16006, `can't convert from BSON type ${typeName(value)} to Date (${name})`);
}

const part = (read: (date: Date) => number): Operator => [
  1,
  1,
  ([argument], name, [source]) => {
    const [first] = isDoc(source) ? source.keys() : [];
    if (first !== undefined && !first.startsWith('$'))
      fail(238, `the options of ${name} are not supported by the embedded store; dates are in UTC`);
    return argument == null ? null : read(dateOf(argument, name));
  },
];

/** The operators on dates, in UTC (manual: reference/operator/aggregation/#date-expression-operators). */
export const dateOperators: Readonly<Record<string, Operator | undefined>> = {
  $year: part((date) => date.getUTCFullYear()),
  $month: part((date) => date.getUTCMonth() + 1),
  $dayOfMonth: part((date) => date.getUTCDate()),
  $hour: part((date) => date.getUTCHours()),
};
