import { describe, expect, it } from '@jest/globals';
import { isObjectId, newObjectId } from './object-id.js';

describe('ObjectIds', () => {
  it.each(['655f1c2ab1e4a9d3f0c81234', '655F1C2AB1E4A9D3F0C81234', '0'.repeat(24)])('accepts the ObjectId %s', (text) =>
    expect(isObjectId(text)).toBe(true),
  );

  it.each([
    '',
    'x',
    '0'.repeat(23),
    '0'.repeat(25),
    'g'.repeat(24),
    `${'0'.repeat(24)}\n`,
    ` ${'0'.repeat(23)}`,
    '12bytesstr12',
  ])('rejects %j as an ObjectId', (text) => expect(isObjectId(text)).toBe(false));

  it('creates ids in the order of time, never the same twice', () => {
    const made = Array.from({ length: 1_000 }, () => newObjectId());
    expect(new Set(made).size).toBe(1_000);
    expect([...made].sort()).toEqual(made);
    for (const id of made) expect(isObjectId(id)).toBe(true);
    const [early, late] = [
      newObjectId(new Date('2026-11-21T12:00:00Z')),
      newObjectId(new Date('2026-11-21T12:00:01Z')),
    ];
    expect(early < late).toBe(true);
  });
});
