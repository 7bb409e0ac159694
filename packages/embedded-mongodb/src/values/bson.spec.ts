import { expect, it } from '@jest/globals';
import { serialize } from 'bson';
import { decode } from './bson.js';

it.each([
  ['a string', 'v'.charCodeAt(0)],
  ['the name of a field', 'n'.charCodeAt(0)],
])('rejects bytes that are not UTF-8 in %s, because they would be stored changed (22)', (_, letter) => {
  const bytes = Buffer.from(serialize({ nnnn: 'vvvv' }));
  bytes[bytes.indexOf(letter)] = 0xff;
  expect(() => decode(bytes)).toThrow(expect.objectContaining({ code: 22 }));
});

it('keeps the character that replaces unreadable bytes elsewhere', () => {
  expect([...decode(Buffer.from(serialize({ '\ufffd': '\ufffd' })))]).toEqual([['\ufffd', '\ufffd']]);
});
