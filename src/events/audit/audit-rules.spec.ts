import { describe, expect, it } from '@jest/globals';
import { changesBetween, MAX_AUDIT_VALUE_LENGTH } from './audit-rules.js';

describe('changesBetween', () => {
  it('names only the fields that differ, with the values before and after as strings', () => {
    const before = { name: 'Old', roles: ['a', 'b'], count: 1, isActive: true, at: new Date(0), gone: 'x', kept: null };
    const after = { name: 'New', roles: ['a'], count: 1, isActive: false, at: new Date(1), gone: null, kept: null };
    expect(changesBetween(before, after)).toEqual([
      { field: 'name', before: 'Old', after: 'New' },
      { field: 'roles', before: 'a, b', after: 'a' },
      { field: 'isActive', before: 'true', after: 'false' },
      { field: 'at', before: '1970-01-01T00:00:00.000Z', after: '1970-01-01T00:00:00.001Z' },
      { field: 'gone', before: 'x', after: null },
    ]);
  });

  it('treats a field that was not written as unchanged, and every field of a new record as changed', () => {
    expect(changesBetween({ name: 'Old', role: 'x' }, { name: undefined })).toEqual([]);
    expect(changesBetween(null, { name: 'New', note: null })).toEqual([{ field: 'name', before: null, after: 'New' }]);
  });

  it('records no value for an empty list and an empty string', () => {
    expect(changesBetween(null, { roles: [], note: '' })).toEqual([]);
    expect(changesBetween({ roles: ['a'], note: 'x' }, { roles: [], note: '' })).toEqual([
      { field: 'roles', before: 'a', after: null },
      { field: 'note', before: 'x', after: null },
    ]);
  });

  it('shows different lists as different, also when an entry has a comma', () => {
    const [change] = changesBetween({ commands: ['say a, b'] }, { commands: ['say a', 'b'] });
    expect(change).toEqual({ field: 'commands', before: '"say a, b"', after: 'say a, b' });
    expect(changesBetween({ commands: ['"a, b"'] }, { commands: ['a, b'] })).toHaveLength(1);
    expect(changesBetween({ commands: [''] }, { commands: [] })).toHaveLength(1);
  });

  it('returns every field that a deleted record had', () => {
    expect(changesBetween({ name: 'Old', note: null }, null)).toEqual([{ field: 'name', before: 'Old', after: null }]);
  });

  it('cuts long values to the documented length', () => {
    const long = (length: number): string => 'x'.repeat(length);
    expect(changesBetween(null, { text: long(MAX_AUDIT_VALUE_LENGTH) })[0]?.after).toBe(long(MAX_AUDIT_VALUE_LENGTH));
    const cut = changesBetween(null, { text: long(MAX_AUDIT_VALUE_LENGTH + 1) })[0]?.after;
    expect(cut).toHaveLength(MAX_AUDIT_VALUE_LENGTH);
    expect(cut).toMatch(/^x+\.\.\. \(sha256 [0-9a-f]{12}\)$/);
  });

  it('shows two long values that differ only after the cut as different', () => {
    const [before, after] = ['x'.repeat(400), `${'x'.repeat(400)}y`];
    const [change] = changesBetween({ text: before }, { text: after });
    expect(change?.before).not.toBe(change?.after);
  });
});
