import fc from 'fast-check';
import { Int32, MinKey } from 'mongodb';
import { moment, number, oneOf, scalar, text, weighted } from './values.js';

/** The paths that expressions name. */
export const field = oneOf('$a', '$b', '$n', '$s', '$d', '$arr', '$sub', '$sub.x', '$arr.x', '$items.q', '$missing');
// The second engine treats a missing value as equal to MinKey.
const literal = scalar.filter((value) => !(value instanceof MinKey)).map((value) => ({ $literal: value }));
const known = field.map((of) => ({ $ifNull: [of, null] }));
/** An operand of the kind that an operator wants, or the fallback where the field holds something else. */
const when = (types, source, fallback) => ({ $cond: [{ $in: [{ $type: source }, types] }, source, fallback] });
const numeric = fc
  .tuple(oneOf('$n', '$a', '$sub.x', '$b', '$_id'), oneOf(0, 3))
  .map(([of, other]) => when(['int', 'long', 'double'], of, new Int32(other)));
const worded = fc
  .tuple(oneOf('$s', '$a', '$b', '$sub.x'), oneOf('', 'ab'))
  .map(([of, other]) => when(['string'], of, other));
const dated = fc.tuple(oneOf('$d', '$a', '$b'), moment).map(([of, other]) => when(['date'], of, other));
const listed = fc
  .tuple(oneOf('$arr', '$a', '$items', '$items.q'), oneOf([], [new Int32(1), 'a']))
  .map(([of, other]) => when(['array'], of, { $literal: other }));
const call = (names, ...operands) =>
  fc.tuple(oneOf(...names), ...operands).map(([op, ...args]) => ({ [op]: args.length === 1 ? args[0] : args }));
const small = oneOf(0, 1, -1, 2).map((value) => new Int32(value));

/** Expressions whose value is a number or a date. */
export const arithmetic = fc.oneof(
  call(['$add', '$subtract', '$multiply'], numeric, numeric),
  // Not a product of three: a zero of MongoDB has the sign of all factors. The second engine multiplies pair by pair.
  call(['$add'], numeric, numeric, numeric),
  call(
    ['$divide', '$mod'],
    numeric,
    oneOf(2, 4, -2).map((value) => new Int32(value)),
  ),
  call(
    ['$add', '$subtract'],
    dated,
    oneOf(1000, -5).map((value) => new Int32(value)),
  ),
  call(['$subtract'], dated, dated),
);
const comparisons = ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte'];
const logic = fc.oneof(
  call(comparisons, field, literal),
  call(comparisons, known, known),
  call(['$and', '$or'], field, field),
  call(
    ['$not'],
    field.map((of) => [of]),
  ),
  fc.tuple(field, literal).map(([a, b]) => ({ $ifNull: [a, b] })),
  fc.tuple(field, field, literal).map(([a, b, c]) => ({ $ifNull: [a, b, c] })),
  fc.tuple(field, field, literal).map(([test, yes, no]) => ({ $cond: [test, yes, no] })),
  fc.tuple(field, literal).map(([test, then]) => ({ $cond: { if: { $gt: [test, null] }, then, else: 'no' } })),
  call(['$type', '$isArray'], field),
);
const words = call(['$concat'], worded, fc.constant('-'), worded);
const lists = fc.oneof(
  call(
    ['$size', '$first', '$last'],
    listed.map((of) => [of]),
  ),
  call(
    ['$arrayElemAt', '$slice'],
    listed,
    small.filter((value) => value.value !== 0),
  ),
  call(['$concatArrays'], listed, listed),
  call(['$in'], literal, listed),
  fc.tuple(listed, literal).map(([input, to]) => ({ $filter: { input, as: 'it', cond: { $gte: ['$$it', to] } } })),
  listed.map((input) => ({ $map: { input, as: 'it', in: { $type: '$$it' } } })),
  fc.constant({ $map: { input: '$items', as: 'it', in: { k: '$$it.k', twice: { $multiply: ['$$it.q', 2] } } } }),
  text.map((k) => ({
    $sum: {
      $map: { input: { $filter: { input: '$items', as: 'it', cond: { $eq: ['$$it.k', k] } } }, as: 'it', in: '$$it.q' },
    },
  })),
  call(['$sum', '$min', '$max'], oneOf('$arr', '$items.q', ['$n', '$a', 3], '$n')),
  // Not the average of one number: the second engine keeps its type.
  call(['$avg'], oneOf('$arr', '$items.q', ['$n', '$a', 3])),
  fc.constant({ $mergeObjects: [{ $cond: [{ $eq: [{ $type: '$sub' }, 'object'] }, '$sub', null] }, { more: 1 }] }),
);
const dates = fc.oneof(
  call(['$year', '$month', '$dayOfMonth', '$hour'], dated),
  // as the sales figures find the beginning of a day
  dated.map((date) => ({ $subtract: [date, { $mod: [{ $subtract: [date, new Date(3_600_000)] }, 86_400_000] }] })),
);
const formula = weighted([2, field], [4, arithmetic], [4, logic], [4, words], [5, lists], [3, dates]);
/** An expression that does not fail. Stages before others have these, because an engine may leave out a field that fails and is not used later. */
export const fitting = weighted([24, formula], [1, fc.tuple(field, field).map(([a, b]) => ({ one: a, two: [b, 1] }))]);
/** Fields that are computed, several at once, so that every operator comes often. */
export const several = fc
  .array(fitting, { minLength: 1, maxLength: 6 })
  .map((all) => Object.fromEntries(all.map((made, index) => [`made${index}`, made])));
/** Expressions with operands of any type. */
export const unfit = fc.oneof(
  call(['$add', '$multiply', '$divide'], field, number),
  // Only whole numbers: the second engine rounds half a millisecond in another way.
  call(
    ['$subtract'],
    field,
    number.filter((value) => Number.isInteger(Number(value))),
  ),
  call(['$concat'], field, fc.constant('x')),
  call(['$size', '$year'], field),
);
/** An expression of the aggregation language. */
export const expression = weighted([9, formula], [1, unfit]);
