import { expect, it } from '@jest/globals';
import { safeForTerminal } from './terminal.js';

it.each([
  ['Sky Realm – ümlaut 商店 🎁', 'Sky Realm – ümlaut 商店 🎁'],
  ['\u001b[2J\u001b]0;title\u0007', '\\u001b[2J\\u001b]0;title\\u0007'],
  ['a\rb\u009b31m\u007f', 'a\\u000db\\u009b31m\\u007f'],
  ['abc\u202etxt.exe\u2066', 'abc\\u202etxt.exe\\u2066'],
])('writes %j so that a terminal only shows it', (text, expected) => {
  expect(safeForTerminal(text)).toBe(expected);
});

it('keeps the lines and columns of a text, and escapes them in a part of a line', () => {
  expect(safeForTerminal('a\tb\nc')).toBe('a\tb\nc');
  expect(safeForTerminal('a\tb\nc', 'in one line')).toBe('a\\u0009b\\u000ac');
});

it('leaves JSON the same JSON', () => {
  const value = { name: '\u001b[31m\u009b\u202e\u2028' };
  expect(JSON.parse(safeForTerminal(JSON.stringify(value, null, 2)))).toEqual(value);
});
