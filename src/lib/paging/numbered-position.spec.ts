import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NumberedPosition, listPositionOf, LIST_POSITIONS } from './numbered-position.js';
import { decodeCursor, Page } from './page.js';

interface Placed {
  readonly position: number;
  readonly id: string;
}

const place = fc.record({
  position: fc.nat(0xffff_ffff),
  id: fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('hex')),
});
const FIRST = { position: 0, id: 'a'.repeat(24) };
const SECOND = { position: 7, id: '0'.repeat(24) };
const pageOf = (records: readonly Placed[], limit: number): Page<Placed> => Page.of(records, limit, listPositionOf);
const placeIn = (cursor: string): Placed | null => {
  const position = decodeCursor(cursor, LIST_POSITIONS.bytes);
  if (position === null) return null;
  const { number, id } = LIST_POSITIONS.read(position);
  return { position: number, id };
};

describe('a page of a list in the order of its positions', () => {
  it('adds a cursor only when there are more records, and it names the last record shown', () => {
    expect(pageOf([], 2)).toMatchObject({ items: [], nextCursor: null });
    expect(pageOf([FIRST, SECOND], 2)).toMatchObject({ items: [FIRST, SECOND], nextCursor: null });
    const { items, nextCursor } = pageOf([FIRST, SECOND], 1);
    expect([items, placeIn(nextCursor ?? '')]).toEqual([[FIRST], FIRST]);
  });

  it('writes cursors that are safe in a URL and restore the position', () => {
    fc.assert(
      fc.property(place, (last) => {
        const cursor = pageOf([last, last], 1).nextCursor ?? '';
        expect(cursor).toMatch(/^[A-Za-z0-9_-]{22}$/);
        expect(placeIn(cursor)).toEqual(last);
      }),
    );
  });

  it('rejects a cursor that the service did not make', () => {
    // The last one has bits that no cursor has.
    for (const cursor of ['', 'a', 'ZWtY0XvP4p0sYV5b', 'A'.repeat(24), `${'A'.repeat(21)}B`]) {
      expect(placeIn(cursor)).toBeNull();
    }
  });
});

it('encodes a position in as many bytes as its number and its id, and restores both', () => {
  const id = '0123456789abcdef01234567';
  const wide = new NumberedPosition(6);
  expect([wide.bytes, wide.write({ number: 0xabc, id })]).toEqual([18, `000000000abc${id}`]);
  expect(wide.read(wide.write({ number: 0xabc, id }))).toEqual({ number: 0xabc, id });
});
