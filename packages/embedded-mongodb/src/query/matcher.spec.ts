import { expect, it } from '@jest/globals';
import { Binary, BSONRegExp, Double, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import { doc, type Maybe, type Value } from '../values/types.js';
import { compileFilter } from './matcher.js';
import { unlimited } from './work.js';

const env = { now: new Date(0), vars: new Map<string, Maybe>(), work: unlimited() };
const id = '65a1b2c3d4e5f60718293a4b';

const values: Value[] = [
  ...[null, true, false, '', 'text', 'a\0b', 0, -1, 2n ** 53n, 2n ** 53n + 1n, new Date(0), new Date(1)],
  ...[new Double(0), new Double(-0), new Double(1.5), new Double(NaN), new Double(2 ** 53)],
  ...[new ObjectId(id), new ObjectId(`${id.slice(0, 23)}c`), new Timestamp({ t: 1, i: 2 }), new MinKey(), new MaxKey()],
  ...[new Binary(Buffer.from('ab'), 0), new Binary(Buffer.from('ab'), 4), new BSONRegExp('^t', '')],
  ...[doc({ x: 1, y: 2 }), doc({ y: 2, x: 1 }), doc({}), [], [1], [[1]], ['text', null], [new ObjectId(id)]],
];

it('finds with $in what equality with one of its values finds', () => {
  const documents = [doc({}), ...values.map((value) => doc({ field: value }))];
  const matching = (filter: Value): boolean[] => documents.map(compileFilter(doc({ field: filter }), env));
  for (const first of values) {
    for (const second of values) {
      const either = matching(first).map((isFirst, at) => isFirst || matching(second)[at] === true);
      expect(matching(doc({ $in: [first, second] }))).toEqual(either);
    }
  }
});
