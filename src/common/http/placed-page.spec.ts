import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodePlace, placedPageOf } from './placed-page.js';

const place = fc.record({
  position: fc.nat(0xffff_ffff),
  id: fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('hex')),
});
const FIRST = { position: 0, id: 'a'.repeat(24) };
const SECOND = { position: 7, id: '0'.repeat(24) };

describe('a page of a list in the order of its positions', () => {
  it('has a cursor only when there are more records, and it names the last record shown', () => {
    expect(placedPageOf([], 2)).toEqual({ items: [], nextCursor: null });
    expect(placedPageOf([FIRST, SECOND], 2)).toEqual({ items: [FIRST, SECOND], nextCursor: null });
    const { items, nextCursor } = placedPageOf([FIRST, SECOND], 1);
    expect([items, decodePlace(nextCursor ?? '')]).toEqual([[FIRST], FIRST]);
  });

  it('has cursors that are safe in a URL and give the place back', () => {
    fc.assert(
      fc.property(place, (last) => {
        const cursor = placedPageOf([last, last], 1).nextCursor ?? '';
        expect(cursor).toMatch(/^[A-Za-z0-9_-]{22}$/);
        expect(decodePlace(cursor)).toEqual(last);
      }),
    );
  });

  it('takes no cursor that it did not make', () => {
    // The last one has bits that no cursor has.
    for (const cursor of ['', 'a', 'ZWtY0XvP4p0sYV5b', 'A'.repeat(24), `${'A'.repeat(21)}B`]) {
      expect(decodePlace(cursor)).toBeNull();
    }
  });
});
