import { Binary, BSONRegExp, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'mongodb';
import fc from 'fast-check';

/** The arbitraries with their weights, as `fc.oneof` wants them. */
export const weighted = (...pairs) => fc.oneof(...pairs.map(([weight, arbitrary]) => ({ weight, arbitrary })));
/** One of the values as often as any other. */
export const oneOf = fc.constantFrom;

// Values of all types that the store allows. There are few of each, so that equal values are frequent.
const int = fc.integer({ min: -3, max: 12 }).map((value) => new Int32(value));
const double = oneOf(0.5, 1.5, 2, -2.25, 10, NaN, Infinity, -Infinity).map((value) => new Double(value));
const long = oneOf(1, 7, 2 ** 40).map((value) => Long.fromNumber(value));
const date = oneOf(0, 86_400_000, 951_782_400_000, 1_700_000_000_123).map((value) => new Date(value));
const string = oneOf('', 'a', 'ab', 'abc', 'b', 'B', 'é', 'a b', 'a\n', 'a\nb', 'A\rb\n');
const objectId = oneOf('0'.repeat(24), 'a'.repeat(24)).map((value) => new ObjectId(value));
const rare = oneOf(
  () => new Binary(Buffer.from([1, 2]), 0),
  () => new Binary(Buffer.from([5]), 0),
  () => new Binary(Buffer.alloc(16, 7), 4),
  () => new Timestamp({ t: 5, i: 1 }),
  () => new Timestamp({ t: 1_700_000_000, i: 2 }),
  () => new MinKey(),
  () => new MaxKey(),
).map((make) => make());

/** A value that is no array and no document. */
export const scalar = weighted(
  [12, int],
  [4, double],
  [3, long],
  [6, string],
  [2, fc.boolean()],
  [2, fc.constant(null)],
  [2, date],
  [2, objectId],
  [1, rare],
);
/** A regular expression that is stored as a value. In a filter it would be a pattern. */
const regex = oneOf('^a', 'B').map((pattern) => new BSONRegExp(pattern, 'i'));
export const number = weighted(
  [4, fc.integer({ min: -3, max: 5 }).map((n) => new Int32(n))],
  [2, oneOf(0.5, 1.5).map((n) => new Double(n))],
  [1, oneOf(1, 3).map((n) => Long.fromNumber(n))],
);
/** What `$inc` adds: by zero nothing is modified (manual: reference/command/update, nModified); the second engine counts it. */
export const nonzero = number.filter((by) => Number(by) !== 0);
export const text = oneOf('a', 'ab', 'b', 'abc', 'Ab c', 'a\n', 'a\nb');
export const moment = date;
export const subdocument = fc.record({ x: scalar, y: scalar }, { requiredKeys: ['x'] });
const array = weighted(
  [3, fc.array(scalar, { maxLength: 4 })],
  [2, fc.array(subdocument, { maxLength: 3 })],
  [1, fc.array(fc.oneof(int, subdocument, fc.array(int, { maxLength: 2 })), { maxLength: 3 })],
);
/** Any value of a field. */
export const value = weighted(
  [12, scalar],
  [2, subdocument],
  [4, fc.array(scalar, { minLength: 1, maxLength: 4 })],
  [1, fc.constant([])],
  [1, regex],
);
/** Rows of a document, as orders have items, payments and a history. */
export const item = fc.record({ k: text, q: number, at: date }, { requiredKeys: ['k', 'q'] });

/** The `_id`s of documents. There are few, so that several writes change the same document. */
export const id = fc.integer({ min: 0, max: 8 });
export const document = fc.record(
  {
    a: value,
    b: scalar,
    n: number,
    s: text,
    d: date,
    arr: array,
    sub: subdocument,
    items: fc.array(item, { maxLength: 3 }),
  },
  { requiredKeys: [] },
);
