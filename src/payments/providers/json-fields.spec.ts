import { describe, expect, it } from '@jest/globals';
import { JsonFields } from './json-fields.js';

const fields = JsonFields.parse(
  Buffer.from(JSON.stringify({ none: 0, one: 1, part: 0.5, text: '1', inner: { list: [] } })),
);

describe('the fields of an untrusted body', () => {
  it('are counts from 0 on', () => {
    expect([fields.count('none'), fields.count('one')]).toEqual([0, 1]);
  });

  it.each(['part', 'text', 'inner', 'absent'])('are no count in %s', (name) => {
    expect(() => fields.count(name)).toThrow(`${name} must be a whole number`);
  });

  it('are named with their path', () => {
    expect(() => fields.child('inner').count('list')).toThrow('inner.list must be a whole number');
    expect(() => fields.child('inner').child('list')).toThrow('inner.list must be an object');
  });
});
