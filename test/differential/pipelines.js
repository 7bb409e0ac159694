import fc from 'fast-check';
import { Int32, MinKey } from 'mongodb';
import { filter, projection } from './queries.js';
import { moment, number, oneOf, scalar, text, weighted } from './values.js';

const field = oneOf('$a', '$b', '$n', '$s', '$d', '$arr', '$sub', '$sub.x', '$arr.x', '$items.q', '$missing');
// The second engine takes a missing value to be equal to MinKey.
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

const arithmetic = fc.oneof(
  call(['$add', '$subtract', '$multiply'], numeric, numeric),
  call(['$add', '$multiply'], numeric, numeric, numeric),
  call(
    ['$divide', '$mod'],
    numeric,
    oneOf(2, 4, -2).map((value) => new Int32(value)),
  ),
  call(['$abs', '$ceil', '$floor'], numeric),
  call(
    ['$round', '$trunc'],
    numeric,
    oneOf(0, 1, -1).map((value) => new Int32(value)),
  ),
  call(
    ['$add', '$subtract'],
    dated,
    oneOf(1000, -5).map((value) => new Int32(value)),
  ),
  call(['$subtract'], dated, dated),
  call(
    ['$pow'],
    numeric,
    oneOf(2, 3).map((value) => new Int32(value)),
  ),
  // of these the last digits are the library's
  call(['$exp'], small).map((of) => ({ $round: [of, 6] })),
  call(['$ln'], oneOf(1, 2.5, 10)).map((of) => ({ $round: [of, 6] })),
  call(
    ['$sqrt'],
    numeric.map((of) => ({ $multiply: [of, of] })),
  ),
);
const comparisons = ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$cmp'];
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
  fc.tuple(field, literal, field).map(([test, to, then]) => ({
    $switch: {
      branches: [
        { case: { $lt: [test, to] }, then },
        { case: { $eq: [test, to] }, then: 'same' },
      ],
      default: 'other',
    },
  })),
  call(['$type', '$isArray', '$isNumber'], field),
);
const words = fc.oneof(
  call(['$concat'], worded, fc.constant('-'), worded),
  call(['$toUpper', '$toLower', '$strLenBytes', '$strLenCP'], worded),
  call(
    ['$substrCP', '$substrBytes', '$substr'],
    oneOf('$s', 'abc'),
    oneOf(0, 1).map((value) => new Int32(value)),
    oneOf(1, 2).map((value) => new Int32(value)),
  ),
  call(['$strcasecmp'], worded, worded),
  call(['$split'], worded, fc.constant(' ')),
  call(['$indexOfCP', '$indexOfBytes'], worded, oneOf('b', 'zz', '')),
  fc.tuple(oneOf('$trim', '$ltrim', '$rtrim'), worded).map(([op, input]) => ({ [op]: { input, chars: 'ab' } })),
  fc
    .tuple(oneOf('$replaceOne', '$replaceAll'), worded)
    .map(([op, input]) => ({ [op]: { input, find: 'b', replacement: 'xx' } })),
  fc.tuple(worded, oneOf('^a', 'B')).map(([input, regex]) => ({ $regexMatch: { input, regex, options: 'i' } })),
  call(['$toString'], fc.oneof(numeric, dated, worded)),
  call(['$toInt', '$toLong', '$toDouble', '$toBool'], numeric),
  call(['$toDate'], dated),
  call(['$toInt', '$toLong', '$toDouble'], oneOf('12', '-3')),
  call(['$toObjectId'], oneOf('0123456789abcdef01234567')),
);
const lists = fc.oneof(
  call(
    ['$size', '$reverseArray', '$first', '$last', '$anyElementTrue', '$allElementsTrue'],
    listed.map((of) => [of]),
  ),
  call(
    ['$arrayElemAt', '$slice'],
    listed,
    small.filter((value) => value.value !== 0),
  ),
  call(['$concatArrays'], listed, listed),
  call(['$in'], literal, listed),
  call(['$indexOfArray'], listed, literal),
  // a set has no order (manual: reference/operator/aggregation/setUnion)
  call(['$setUnion', '$setIntersection'], listed, listed).map((set) => ({ $size: set })),
  call(['$setDifference', '$setEquals', '$setIsSubset'], listed, listed),
  fc.tuple(listed, literal).map(([input, to]) => ({ $filter: { input, as: 'it', cond: { $gte: ['$$it', to] } } })),
  listed.map((input) => ({ $map: { input, as: 'it', in: { $type: '$$it' } } })),
  fc.constant({ $map: { input: '$items', as: 'it', in: { k: '$$it.k', twice: { $multiply: ['$$it.q', 2] } } } }),
  text.map((k) => ({
    $sum: {
      $map: { input: { $filter: { input: '$items', as: 'it', cond: { $eq: ['$$it.k', k] } } }, as: 'it', in: '$$it.q' },
    },
  })),
  fc.constant({ $reduce: { input: '$items.q', initialValue: 0, in: { $add: ['$$value', '$$this'] } } }),
  call(
    ['$range'],
    small,
    oneOf(3, -3).map((value) => new Int32(value)),
    oneOf(1, 2, -1).map((value) => new Int32(value)),
  ),
  call(['$sum', '$avg', '$min', '$max'], oneOf('$arr', '$items.q', ['$n', '$a', 3], '$n')),
  oneOf('$sub', { $ifNull: ['$missing', {}] }).map((of) => ({ $objectToArray: when(['object'], of, {}) })),
  fc.constant({ $arrayToObject: { $map: { input: { $ifNull: ['$items', []] }, as: 'it', in: ['$$it.k', '$$it.q'] } } }),
  fc.constant({ $mergeObjects: [{ $cond: [{ $eq: [{ $type: '$sub' }, 'object'] }, '$sub', null] }, { more: 1 }] }),
  fc.constant({ $getField: { field: 'x', input: '$sub' } }),
  fc.tuple(literal, oneOf('x', 'z.z')).map(([value, name]) => ({
    $setField: { field: name, input: when(['object'], '$sub', {}), value },
  })),
  fc.constant({ $unsetField: { field: 'y', input: when(['object'], '$sub', {}) } }),
  fc.tuple(listed, oneOf(1, -1)).map(([input, sortBy]) => ({ $sortArray: { input, sortBy } })),
);
const dates = fc.oneof(
  call(
    [
      '$year',
      '$month',
      '$dayOfMonth',
      '$hour',
      '$minute',
      '$second',
      '$millisecond',
      '$dayOfWeek',
      '$isoDayOfWeek',
      '$dayOfYear',
      '$isoWeek',
      '$isoWeekYear',
      '$week',
    ],
    dated,
  ),
  fc
    .tuple(
      dated,
      oneOf('%Y-%m-%d', '%Y-%m-%dT%H:%M:%S.%LZ', '%j %u', '%G-%V'),
      oneOf(undefined, 'Europe/Berlin', '+02:00'),
    )
    .map(([date, format, timezone]) => ({ $dateToString: { date, format, ...(timezone && { timezone }) } })),
  fc
    .tuple(dated, oneOf(undefined, 'America/New_York'))
    .map(([date, timezone]) => ({ $dateToParts: { date, ...(timezone && { timezone }) } })),
  fc
    .tuple(dated, oneOf('day', 'hour', 'month'), oneOf(1, -2))
    .map(([startDate, unit, amount]) => ({ $dateAdd: { startDate, unit, amount: new Int32(amount) } })),
  fc
    .tuple(dated, dated, oneOf('day', 'hour', 'month', 'second'))
    .map(([startDate, endDate, unit]) => ({ $dateDiff: { startDate, endDate, unit } })),
  fc
    .tuple(oneOf(1, 14, 0, -3), oneOf(1, 31, -1), oneOf(0, 25), oneOf(undefined, 'Europe/Berlin'))
    .map(([month, day, hour, timezone]) => ({
      $dateFromParts: { year: 2024, month, day, hour, ...(timezone && { timezone }) },
    })),
  fc
    .tuple(dated, oneOf('day', 'minute'))
    .map(([startDate, unit]) => ({ $dateSubtract: { startDate, unit, amount: 3 } })),
  fc.tuple(dated, oneOf('hour', 'minute')).map(([date, unit]) => ({ $dateTrunc: { date, unit } })),
  // as the sales figures find the beginning of a day
  dated.map((date) => ({ $subtract: [date, { $mod: [{ $subtract: [date, new Date(3_600_000)] }, 86_400_000] }] })),
);
const bound = fc
  .tuple(numeric, numeric)
  .map(([one, two]) => ({ $let: { vars: { one, two }, in: { $add: ['$$one', '$$two', 1] } } }));
const formula = weighted([2, field], [4, arithmetic], [4, logic], [4, words], [5, lists], [3, dates], [1, bound]);
/** An expression that fits its operands, as the stages have that stand before others: what fails there and is not used later, an engine may leave out. */
const fitting = weighted([24, formula], [1, fc.tuple(field, field).map(([a, b]) => ({ one: a, two: [b, 1] }))]);
/** Fields that are computed, several at once, so that every operator comes often. */
const several = fc
  .array(fitting, { minLength: 1, maxLength: 6 })
  .map((all) => Object.fromEntries(all.map((made, index) => [`made${index}`, made])));
/** Operands as they come, of whatever type. */
const unfit = fc.oneof(
  call(['$add', '$multiply', '$subtract', '$divide'], field, number),
  call(['$concat'], field, fc.constant('x')),
  call(['$size', '$year', '$toUpper', '$abs', '$toInt', '$objectToArray'], field),
);
/** An expression of the aggregation language. */
export const expression = weighted([9, formula], [1, unfit]);

const accumulated = fc.oneof(
  fc.tuple(oneOf('$sum', '$avg'), fc.oneof(field, arithmetic)).map(([op, of]) => ({ total: { [op]: of } })),
  oneOf(
    { total: { $sum: 1 } },
    { total: { $count: {} } },
    { all: { $push: '$_id' } },
    { first: { $first: '$n' }, last: { $last: '$s' } },
  ),
  field.map((of) => ({ least: { $min: of }, most: { $max: of } })),
  field.map((of) => ({ set: { $addToSet: { $ifNull: [of, 'none'] } } })),
  oneOf('$stdDevPop', '$stdDevSamp').map((op) => ({ spread: { [op]: '$n' } })),
  field.map((of) => ({ total: { $sum: { $cond: [{ $gt: [of, null] }, 1, 0] } } })),
  fc.constant({ whole: { $mergeObjects: { $cond: [{ $eq: [{ $type: '$sub' }, 'object'] }, '$sub', null] } } }),
);
const key = fc.oneof(
  field,
  oneOf(
    null,
    { s: { $ifNull: ['$s', null] }, n: { $ifNull: ['$n', null] } },
    { day: { $dateToString: { date: '$d', format: '%Y-%m-%d' } } },
    { $gt: ['$n', 1] },
  ),
);
const group = fc
  .tuple(key, fc.array(accumulated, { minLength: 1, maxLength: 3 }))
  .map(([_id, all]) => [{ $sort: { _id: 1 } }, { $group: Object.assign({ _id }, ...all) }]);
const one = (arbitrary) => arbitrary.map((stage) => [stage]);

const plain = fc.oneof(
  one(filter.map((match) => ({ $match: match }))),
  one(several.map((made) => ({ $project: made }))),
  one(several.map((made) => ({ $project: { _id: 0, n: 1, ...made } }))),
  one(
    projection
      .filter(
        (spec) =>
          spec !== undefined &&
          !JSON.stringify(spec).includes('$elemMatch') &&
          !JSON.stringify(spec).includes('$slice'),
      )
      .map((spec) => ({ $project: spec })),
  ),
  fc
    .tuple(oneOf('$addFields', '$set'), fitting)
    // A sub that is no document is replaced where it stands; the second engine moves it behind the others.
    .map(([op, made]) => [
      { $match: { $or: [{ sub: { $type: 'object' } }, { sub: { $exists: false } }] } },
      { [op]: { made, 'sub.z': made } },
    ]),
  one(
    oneOf(
      { $unwind: '$arr' },
      { $unwind: '$items' },
      { $unwind: '$a' },
      { $unwind: { path: '$arr', preserveNullAndEmptyArrays: true } },
      { $unwind: { path: '$items', includeArrayIndex: 'i' } },
      { $unwind: { path: '$sub.x', preserveNullAndEmptyArrays: true, includeArrayIndex: 'at' } },
    ),
  ),
  one(
    oneOf(
      { $unset: 'a' },
      { $unset: ['arr', 'sub.x'] },
      { $replaceRoot: { newRoot: { $mergeObjects: [{ n: 0 }, '$$ROOT'] } } },
      { $replaceWith: { kept: '$n', id: '$_id' } },
    ),
  ),
);
const last = fc.oneof(
  group,
  // Of no document $count makes none, as a $group does (manual: reference/operator/aggregation/count); the second engine counts 0.
  fc
    .constant([{ $match: { counted: null } }, { $count: 'c' }])
    .map(() => [{ $group: { _id: null, c: { $sum: 1 } } }, { $project: { _id: 0 } }]),
  one(oneOf('$s', '$n', '$b').map((by) => ({ $sortByCount: by }))),
  one(
    oneOf(
      { $bucket: { groupBy: '$n', boundaries: [-3, 0, 2], default: 'other' } },
      {
        $bucket: {
          groupBy: '$n',
          boundaries: [0, 1.5, 10],
          default: -9,
          output: { c: { $sum: 1 }, sum: { $sum: '$n' } },
        },
      },
    ),
  ),
  // The second engine loses the documents of a facet that are empty.
  one(
    fc.tuple(filter, expression).map(([match, made]) => ({
      $facet: {
        some: [{ $match: match }, { $sort: { _id: 1 } }, { $project: { made, here: { $literal: 1 } } }],
        counted: [{ $group: { _id: null, c: { $sum: 1 } } }],
      },
    })),
  ),
  one(
    oneOf(['n', 'n'], ['s', 's'], ['_id', 'n'], ['arr', '_id'], ['sub.x', 'b'], ['items.q', 'n'], ['missing', 'b']).map(
      ([localField, foreignField]) => ({ $lookup: { from: 'c', localField, foreignField, as: 'found' } }),
    ),
  ),
  one(
    fc.tuple(oneOf('$n', '$_id'), oneOf('$eq', '$gt')).map(([mine, op]) => ({
      $lookup: {
        from: 'c',
        let: { mine: { $ifNull: [mine, null] } },
        pipeline: [
          { $match: { $expr: { [op]: [{ $ifNull: ['$n', null] }, '$$mine'] } } },
          { $sort: { _id: 1 } },
          { $project: { n: 1 } },
        ],
        as: 'found',
      },
    })),
  ),
  one(filter.map((match) => ({ $unionWith: { coll: 'c', pipeline: [{ $match: match }, { $project: { s: 1 } }] } }))),
);
// Before the others, while an _id is one document's alone.
const first = weighted(
  [4, fc.constant([])],
  [
    1,
    fc
      .tuple(fc.nat(3), fc.integer({ min: 1, max: 4 }))
      .map(([skip, limit]) => [{ $sort: { n: 1, _id: 1 } }, { $skip: skip }, { $limit: limit }]),
  ],
);
const leavesOut = (stage) =>
  stage?.$unset !== undefined ||
  Object.entries(stage?.$project ?? {}).some(
    ([name, flag]) => name !== '_id' && (flag === 0 || flag === false || flag?.y === 0),
  );
const computes = (stage) => ['$project', '$addFields', '$set', '$unset'].some((name) => stage?.[name] !== undefined);
/** The second engine joins a stage that leaves fields out with a computing one behind it, and still sees the fields. */
const apart = (all) => {
  const others = all.filter((stage) => stage.$match === undefined);
  return !others.some((stage, index) => leavesOut(stage) && computes(others[index + 1]));
};
/**
 * Each stage makes fields of its own. Where an object is made over a field that is there, a $project of the second engine
 * keeps the order of the old fields, and its $set moves the field behind the others.
 */
const own = (all) =>
  all.map((stage, index) => {
    const [[name, fields]] = Object.entries(stage);
    if (!['$project', '$set', '$addFields'].includes(name)) return stage;
    const renamed = Object.entries(fields).map(([key, to]) => [
      /^(made|sub\.z)/.test(key) ? `${key}_${index}` : key,
      to,
    ]);
    return { [name]: Object.fromEntries(renamed) };
  });

/** What takes the first or last document of an order needs the field that the order is by. */
const ordered = (all) => {
  const grouped = all.findIndex((stage) => /"\$(first|last|mergeObjects)":/.test(JSON.stringify(stage.$group ?? {})));
  const dropsId = ({ $project, $replaceWith }) => $replaceWith !== undefined || $project?._id === 0;
  return !all.slice(0, Math.max(grouped, 0)).some(dropsId);
};

/** The stages of an aggregation. */
export const stages = fc
  .tuple(
    first,
    weighted(
      [3, fc.array(plain, { minLength: 1, maxLength: 3 }).map((all) => all.flat())],
      [
        1,
        fc
          .tuple(fc.array(plain, { maxLength: 1 }), unfit)
          .map(([before, made]) => [...before.flat(), { $project: { made } }]),
      ],
      [2, fc.tuple(fc.array(plain, { maxLength: 2 }), last).map(([before, end]) => [...before.flat(), ...end])],
      [
        1,
        fc
          .tuple(group, expression)
          .map(([stagesOfGroup, made]) => [
            ...stagesOfGroup,
            { $match: { total: { $gte: 1 } } },
            { $project: { total: 1, made } },
          ]),
      ],
    ),
  )
  .map((all) => own(all.flat()))
  .filter((all) => apart(all) && ordered(all));
