import fc from 'fast-check';
import { arithmetic, expression, field, fitting, several, unfit } from './expressions.js';
import { filter, projection } from './queries.js';
import { oneOf, weighted } from './values.js';

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
  field.map((of) => ({ total: { $sum: { $cond: [{ $gt: [of, null] }, 1, 0] } } })),
);
// After an $unwind that preserves, the second engine makes two groups of the documents in which the path is missing.
const key = fc.oneof(
  field.map((of) => (of.includes('.') ? { $ifNull: [of, null] } : of)),
  oneOf(
    null,
    { s: { $ifNull: ['$s', null] }, n: { $ifNull: ['$n', null] } },
    { year: { $year: { $cond: [{ $eq: [{ $type: '$d' }, 'date'] }, '$d', null] } } },
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
  one(projection.filter((spec) => spec !== undefined).map((spec) => ({ $project: spec }))),
  fc
    .tuple(oneOf('$addFields', '$set'), fitting)
    // A `sub` that is not a document is replaced at its place. The second engine moves it behind the others.
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
      { $unwind: { path: '$sub.x', preserveNullAndEmptyArrays: true } },
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
  // Without documents $count returns none, like $group (manual: reference/operator/aggregation/count). The second engine counts 0.
  fc
    .constant([{ $match: { counted: null } }, { $count: 'c' }])
    .map(() => [{ $group: { _id: null, c: { $sum: 1 } } }, { $project: { _id: 0 } }]),
  one(
    oneOf(['n', 'n'], ['s', 's'], ['_id', 'n'], ['arr', '_id'], ['sub.x', 'b'], ['items.q', 'n'], ['missing', 'b']).map(
      ([localField, foreignField]) => ({ $lookup: { from: 'c', localField, foreignField, as: 'found' } }),
    ),
  ),
);
// These come before the other stages, while each _id belongs to one document only.
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
/** The second engine merges a stage that removes fields with the next stage, which then still sees these fields. */
const apart = (all) => {
  const others = all.filter((stage) => stage.$match === undefined);
  return !others.some((stage, index) => leavesOut(stage) && computes(others[index + 1]));
};
/**
 * Gives each stage fields of its own. When an object replaces an existing field, a $project of the second engine keeps the
 * order of the old fields, and its $set moves the field behind the others.
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

/** Whether the field of the order still exists in a stage that takes the first or last document. */
const ordered = (all) => {
  const grouped = all.findIndex((stage) => /"\$(first|last)":/.test(JSON.stringify(stage.$group ?? {})));
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
