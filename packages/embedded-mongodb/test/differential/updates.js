import fc from 'fast-check';
import { Int32 } from 'mongodb';
import { path as asked, positional } from './queries.js';
import { expression } from './expressions.js';
import { item, moment, nonzero, number, oneOf, scalar, subdocument, text, value, weighted } from './values.js';

const list = (from, maxLength = 3) => fc.array(from, { maxLength });
const some = (from) => fc.array(from, { minLength: 1, maxLength: 3 });
// A name as a part of a path into an array is PathNotViable (28, the server's path_support.cpp). The second engine returns 9 or 2.
const path = asked.filter((name) => !/^(arr\.x|items\.[kq])$/.test(name));
const numeric = oneOf('n', 'n', 'a', 'sub.x', 'items.0.q', 'c.d');
const arrays = oneOf('arr', 'arr', 'a', 'items', 'c.e');
const there = oneOf('arr', 'arr', 'a', 'items');

const push = fc
  .tuple(arrays, some(scalar), oneOf(undefined, -3, -1, 1, 2), oneOf(undefined, 0, 1, -1, 5))
  .map(([name, each, slice, position]) => ({
    $push: {
      [name]: {
        $each: each,
        ...(slice !== undefined && { $slice: slice }),
        ...(position !== undefined && { $position: position }),
      },
    },
  }));
/** One modifier with its path. */
const single = weighted(
  [5, fc.tuple(path, value).map(([name, to]) => ({ $set: { [name]: to } }))],
  [
    1,
    fc
      .tuple(oneOf('c.d', 'c.e.f', 'arr.2', 'arr.1.x', 'sub.0', 'a.b.c'), scalar)
      .map(([name, to]) => ({ $set: { [name]: to } })),
  ],
  [
    3,
    fc
      // $unset below a missing field changes nothing. The second engine creates the field (an empty document).
      .oneof(path, oneOf('arr.1'))
      .filter((name) => !name.startsWith('sub.'))
      .map((name) => ({ $unset: { [name]: '' } })),
  ],
  [3, fc.tuple(numeric, nonzero).map(([name, by]) => ({ $inc: { [name]: by } }))],
  [
    2,
    fc.tuple(oneOf('$min', '$max'), path, fc.oneof(scalar, moment)).map(([op, name, to]) => ({ [op]: { [name]: to } })),
  ],
  [
    2,
    fc
      .tuple(oneOf('$push', '$addToSet', '$pull'), there, fc.oneof(scalar, subdocument))
      .map(([op, name, one]) => ({ [op]: { [name]: one } })),
  ],
  [1, item.map((one) => ({ $push: { items: one } }))],
  [3, push],
  [
    1,
    fc.tuple(some(item), oneOf(-2, 1)).map(([each, slice]) => ({ $push: { items: { $each: each, $slice: slice } } })),
  ],
  [
    1,
    fc
      .tuple(arrays, some(fc.oneof(scalar, subdocument)))
      .map(([name, each]) => ({ $addToSet: { [name]: { $each: each } } })),
  ],
  [
    1,
    fc.oneof(
      scalar.map((bound) => ({ $pull: { arr: { $gte: bound } } })),
      list(scalar, 2).map((all) => ({ $pull: { arr: { $in: all } } })),
      scalar.map((x) => ({ $pull: { arr: { x } } })),
      text.map((k) => ({ $pull: { items: { k } } })),
      fc.tuple(text, number).map(([k, q]) => ({ $pull: { items: { k: { $ne: k }, q: { $gt: q } } } })),
    ),
  ],
  [1, scalar.map((to) => ({ $set: { 'arr.$[].x': to } }))],
  [1, nonzero.map((by) => ({ $inc: { 'items.$[].q': by } }))],
  [1, value.map((to) => ({ $setOnInsert: { extra: to }, $set: { touched: true } }))],
);
const pathsOf = (one) => Object.values(one).flatMap((fields) => Object.keys(fields));
const apart = (one, two) =>
  !`${one}.`.startsWith(`${two}.`) && !`${two}.`.startsWith(`${one}.`) && one.split('.')[0] !== two.split('.')[0];
/** Two modifiers in one update, on different fields. The second engine reports conflicting paths only when it changes something. */
const both = fc
  .tuple(single, single)
  .filter((pair) => pair.every((one) => !one.$setOnInsert))
  .filter(([one, two]) => pathsOf(one).every((a) => pathsOf(two).every((b) => apart(a, b))))
  // MongoDB creates new fields in the order of their names (manual: reference/operator/update/set/#behavior), the second
  // engine in the order in which they are written. So they are written in the order of their names.
  .map((pair) => pair.toSorted((one, two) => (pathsOf(one)[0] < pathsOf(two)[0] ? -1 : 1)))
  .map(([one, two]) =>
    Object.fromEntries(
      [...new Set([...Object.keys(one), ...Object.keys(two)])].map((op) => [op, { ...one[op], ...two[op] }]),
    ),
  );

/** An update with one modifier, with two as the application sends them, or with a pipeline. */
export const change = weighted(
  [8, single],
  [3, both],
  [1, fc.tuple(expression, oneOf('made', 'sub.z', 'n')).map(([made, name]) => [{ $set: { [name]: made } }])],
  [
    1,
    oneOf(
      [{ $unset: ['a', 'sub.x'] }],
      [{ $project: { n: 1, s: 1 } }],
      [{ $replaceWith: { $mergeObjects: [{ fresh: true }, '$$ROOT'] } }],
      [{ $set: { n: { $add: ['$_id', 1] } } }, { $unset: 'b' }],
    ),
  ],
);
/** Updates that need array filters. */
export const filtered = fc.oneof(
  fc.tuple(oneOf('$gte', '$lt', '$eq'), number, nonzero).map(([op, bound, by]) => ({
    change: { $inc: { 'items.$[i].q': by } },
    arrayFilters: [{ 'i.q': { [op]: bound } }],
  })),
  fc
    .tuple(scalar, value)
    .map(([bound, to]) => ({ change: { $set: { 'arr.$[e]': to } }, arrayFilters: [{ e: { $gte: bound } }] })),
  fc.tuple(text, moment).map(([k, at]) => ({
    change: { $set: { 'items.$[i].at': at }, $inc: { n: new Int32(1) } },
    arrayFilters: [{ $or: [{ 'i.k': k }, { 'i.q': { $gt: new Int32(2) } }] }],
  })),
  oneOf('sub.x', 'sub.y', 'sub.q').map((name) => ({
    where: { [name]: { $exists: true }, sub: { $type: 'object' } },
    change: { $unset: { [name]: '' } },
  })),
  // MongoDB creates a missing array also when nothing is pushed (push_node.cpp, addtoset_node.cpp). The second engine does not.
  oneOf(undefined, -3, -1, 0, 1, 2).map((slice) => ({
    where: { arr: { $type: 'array' } },
    change: { $push: { arr: { $each: [], ...(slice !== undefined && { $slice: slice }) } } },
  })),
  fc.constant({ where: { a: { $type: 'array' } }, change: { $addToSet: { a: { $each: [] } } } }),
  // Array filters need the array (manual: reference/operator/update/positional-filtered). The second engine accepts $unset without it.
  text.map((k) => ({
    where: { items: { $type: 'array' } },
    change: { $unset: { 'items.$[i].at': '' } },
    arrayFilters: [{ 'i.k': { $ne: k } }],
  })),
);
/** Updates of the element that the filter found, with that filter. */
export const pointed = fc.tuple(
  positional,
  fc.oneof(
    nonzero.map((by) => ({ $inc: { 'items.$.q': by } })),
    item.map((one) => ({ $set: { 'items.$': one } })),
    fc.constant({ $unset: { 'items.$.at': '' } }),
    fc.constant({ $inc: { 'items.$.q': new Int32(2) }, $set: { touched: true } }),
  ),
);
