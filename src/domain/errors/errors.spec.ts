import { describe, expect, it } from '@jest/globals';
import { orInvalid } from './or-invalid.js';
import { orNotFound } from './or-not-found.js';
import { requireTimeRange, requireValid } from './require-valid.js';

describe('orNotFound', () => {
  it('returns what was found, also an empty value', () => {
    expect(orNotFound({ id: '1' }, 'shop_not_found')).toEqual({ id: '1' });
    expect(orNotFound(0, 'shop_not_found')).toBe(0);
  });

  it('throws the given error of the catalogue for null', () => {
    expect(() => orNotFound(null, 'shop_not_found')).toThrow(expect.objectContaining({ code: 'shop_not_found' }));
  });
});

describe('requireValid', () => {
  it('accepts input without problems', () => {
    expect(() => {
      requireValid([]);
    }).not.toThrow();
  });

  it('rejects input with every problem in one sentence list', () => {
    expect(() => {
      requireValid(['name is too long', 'price is negative']);
    }).toThrow(expect.objectContaining({ code: 'validation_failed', message: 'name is too long; price is negative' }));
  });
});

describe('requireTimeRange', () => {
  const [earlier, later] = [new Date(1), new Date(2)];

  it('accepts a range that contains a time, and one without an end', () => {
    for (const range of [{ from: earlier, to: later }, { from: later }, { to: earlier }, {}]) {
      expect(() => {
        requireTimeRange(range);
      }).not.toThrow();
    }
  });

  it('rejects an empty range', () => {
    for (const range of [
      { from: later, to: earlier },
      { from: later, to: new Date(2) },
    ]) {
      expect(() => {
        requireTimeRange(range);
      }).toThrow(expect.objectContaining({ code: 'validation_failed', message: 'from must be before to' }));
    }
  });
});

describe('orInvalid', () => {
  it('returns what the rule read', () => {
    expect(orInvalid({ from: 1 })).toEqual({ from: 1 });
  });

  it('rejects input with every problem that the rule found', () => {
    expect(() => orInvalid(['from is missing', 'to is missing'])).toThrow(
      expect.objectContaining({ code: 'validation_failed', message: 'from is missing; to is missing' }),
    );
  });

  it('returns no list of problems, not even an empty one', () => {
    expect(() => orInvalid([])).toThrow('A rule returned neither a value nor a problem');
  });
});
