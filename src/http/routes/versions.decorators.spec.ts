import { describe, expect, it } from '@jest/globals';
import { expectedVersionsOf } from './versions.decorators.js';

describe('expectedVersionsOf', () => {
  it.each([
    ['no header', undefined, null],
    ['any version', ' * ', null],
    ['one tag', '"abc.def"', ['abc']],
    ['the tag of a 412, which has only the version', '"abc"', ['abc']],
    ['a tag that a proxy made weak', 'W/"abc.def"', ['abc']],
    ['several tags', '"a.1", W/"b.2" ,"c,d"', ['a', 'b', 'c,d']],
    ['an empty tag', '""', ['']],
  ])('reads %s', (_name, header, expected) => {
    expect(expectedVersionsOf(header)).toEqual(expected);
  });

  it.each([['abc'], ['"abc'], [''], [','], ['"a" b'], ['*, "a"'], ['w/"a"']])('rejects %s', (header) => {
    expect(() => expectedVersionsOf(header)).toThrow(expect.objectContaining({ code: 'validation_failed' }));
  });
});
