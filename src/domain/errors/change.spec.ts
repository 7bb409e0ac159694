import { describe, expect, it } from '@jest/globals';
import { present, requireChange } from './change.js';

describe('present', () => {
  it('leaves out what is absent and keeps null and every other value', () => {
    const fields = { gone: undefined, cleared: null, zero: 0, empty: '', off: false };
    expect(Object.entries(present(fields))).toEqual([
      ['cleared', null],
      ['zero', 0],
      ['empty', ''],
      ['off', false],
    ]);
  });
});

describe('requireChange', () => {
  it('rejects a body without a field', () => {
    for (const body of [{}, { name: undefined }]) {
      expect(() => {
        requireChange(body);
      }).toThrow('Send at least one field to change');
    }
  });

  it('accepts a body with one field, also when it is null', () => {
    requireChange({ name: null });
  });
});
