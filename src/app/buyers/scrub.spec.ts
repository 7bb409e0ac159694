import { describe, expect, it } from '@jest/globals';
import { scrubber } from './scrub.js';

const scrub = scrubber(
  new Map([
    ['Steve_42', 'erased-1'],
    ['steve@example.com', 'erased-2@erased.invalid'],
    ['Qu"ote', 'erased-3'],
    ['.+', 'erased-4'],
  ]),
);

describe('The replacement of names', () => {
  it.each([
    ['Steve_42', 'erased-1'],
    ['nickname:steve_42', 'nickname:erased-1'],
    ['Gave a sword to STEVE_42.', 'Gave a sword to erased-1.'],
    ['Steve_42 -> Steve_42', 'erased-1 -> erased-1'],
    ['mail steve@example.com again', 'mail erased-2@erased.invalid again'],
    ['Steve@Example.com', 'erased-2@erased.invalid'],
    [JSON.stringify({ nickname: 'Qu"ote' }), JSON.stringify({ nickname: 'erased-3' })],
  ])('replaces each of them in %j', (text, expected) => {
    expect(scrub(text)).toBe(expected);
  });

  it.each(['Steve_421', 'xSteve_42', 'Steve', 'maybesteve@example.com', 'steve@example.community', 'anything'])(
    'leaves %j as it is, which only contains a part or another name',
    (text) => {
      expect(scrub(text)).toBe(text);
    },
  );

  it('reaches every string of a record, and keeps all other values', () => {
    const at = new Date();
    const record = { at, total: 1999, none: null, history: [{ detail: 'Steve_42' }] };
    expect(scrub(record)).toEqual({ at, total: 1999, none: null, history: [{ detail: 'erased-1' }] });
    expect(scrubber(new Map())(record)).toBe(record);
  });
});
