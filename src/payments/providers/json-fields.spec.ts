import { describe, expect, it } from '@jest/globals';
import { JsonFields } from './json-fields.js';

const fields = JsonFields.parse(
  Buffer.from(
    JSON.stringify({
      none: 0,
      one: 1,
      part: 0.5,
      text: '1',
      inner: { list: [], items: [{ count: '1' }] },
      at: '2026-11-22T10:00:00+01:00',
    }),
  ),
);

describe('JsonFields', () => {
  it('reads counts from 0 on', () => {
    expect([fields.count('none'), fields.count('one')]).toEqual([0, 1]);
  });

  it.each(['part', 'text', 'inner', 'absent'])('rejects the field %s as a count', (name) => {
    expect(() => fields.count(name)).toThrow(`${name} must be a whole number`);
  });

  it('names a wrong field with its path', () => {
    expect(() => fields.child('inner').count('list')).toThrow('inner.list must be a whole number');
    expect(() => fields.child('inner').child('list')).toThrow('inner.list must be an object');
  });

  it('reads the raw value at a path, whatever the objects on the way are', () => {
    expect(fields.at('inner', 'items', 0, 'count')).toBe('1');
    for (const path of [
      ['inner', 'none', 'x'],
      ['text', 0],
      ['none', 'toString'],
      ['inner', 'toString'],
      ['inner', 'items', 'map'],
    ]) {
      expect(fields.at(...path)).toBeUndefined();
    }
    expect(JsonFields.parse(Buffer.from('{"a":null}')).at('a', 'b')).toBeUndefined();
  });

  it('reads instants with an offset', () => {
    expect(fields.instant('at')).toEqual(new Date('2026-11-22T09:00:00.000Z'));
    for (const name of ['text', 'one', 'absent']) {
      expect(() => fields.instant(name)).toThrow(
        `${name} must be a date-time with an offset such as 2026-11-21T12:00:00Z`,
      );
    }
  });

  it('reads lists of objects, and names a wrong field with its index', () => {
    expect([fields.children('absent'), fields.child('inner').children('list')]).toEqual([[], []]);
    const [item] = fields.child('inner').children('items');
    expect(() => item?.count('count')).toThrow('inner.items[0].count must be a whole number');
    for (const name of ['text', 'inner']) {
      expect(() => fields.children(name)).toThrow(`${name} must be a list of objects`);
    }
    const mixed = JsonFields.parse(Buffer.from('{"list":[{},1]}'));
    expect(() => mixed.children('list')).toThrow('list must be a list of objects');
  });
});
