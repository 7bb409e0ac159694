import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkComplexity, MAX_KEYS, MAX_NESTING } from './json-complexity.js';

const complexity = (json: string): string => {
  try {
    checkComplexity(Buffer.from(json));
    return 'fine';
  } catch (error) {
    return (error as { code: string }).code;
  }
};
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const keys = (count: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [at, 0])));

describe('checkComplexity', () => {
  it.each([
    ['nothing', '', 'fine'],
    ['16 levels', nested(MAX_NESTING), 'fine'],
    ['17 levels', nested(MAX_NESTING + 1), 'body_too_complex'],
    ['17 levels that are never closed', '{"a":'.repeat(17), 'body_too_complex'],
    ['5,000 levels', nested(5_000), 'body_too_complex'],
    ['many short lists', `[${'[],'.repeat(5_000)}0]`, 'fine'],
    ['1,000 keys', keys(MAX_KEYS), 'fine'],
    ['1,001 keys', keys(MAX_KEYS + 1), 'body_too_complex'],
    ['brackets and colons in a text', JSON.stringify({ text: '[{:'.repeat(2_000) }), 'fine'],
    ['brackets after an escaped quote', JSON.stringify(`"${'['.repeat(40)}`), 'fine'],
    ['brackets after an escaped backslash', `["\\\\",${nested(16)}]`, 'body_too_complex'],
    ['a text that is never closed', `"${'['.repeat(40)}`, 'fine'],
  ])('decides about %s', (_what, json, expected) => {
    expect(complexity(json)).toBe(expected);
  });

  it('counts in the JSON string what the parsed value has', () => {
    const walk = (value: unknown): { depth: number; keys: number } => {
      if (typeof value !== 'object' || value === null) return { depth: 0, keys: 0 };
      const inside = Object.values(value).map(walk);
      return {
        depth: 1 + Math.max(0, ...inside.map(({ depth }) => depth)),
        keys: inside.reduce((sum, one) => sum + one.keys, Array.isArray(value) ? 0 : Object.keys(value).length),
      };
    };
    fc.assert(
      fc.property(fc.json({ maxDepth: 20, depthSize: 'max' }), (json) => {
        const { depth, keys } = walk(JSON.parse(json));
        // Of keys that are repeated only the last one is in the value; all of them count.
        fc.pre(keys < MAX_KEYS);
        return (complexity(json) === 'fine') === depth <= MAX_NESTING;
      }),
    );
  });
});
