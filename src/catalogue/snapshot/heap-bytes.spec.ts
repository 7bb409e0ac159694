import { expect, it } from '@jest/globals';
import { heapBytesOf } from './heap-bytes.js';

it.each([
  ['nothing of its own for what is stored in a field', [null, undefined, true, 7], 32 + 4 * 12],
  ['a number that is no small integer', [1.5, 2 ** 40], 32 + 2 * (12 + 16)],
  ['one byte for a character of ASCII', 'abc', 32 + 3],
  ['two bytes for each character of other strings', 'aü€', 32 + 6],
  ['fields without their names', { name: 'abc', list: [1] }, 32 + 40 + 35 + 40 + 44],
  ['the keys and values of a map', new Map([['id', { a: 1 }]]), 32 + 56 + 34 + 72],
])('counts %s', (_what, value, bytes) => {
  expect(heapBytesOf(value)).toBe(bytes);
});
