import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeCursor, Page } from './page.js';

const id = fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('hex'));
const records = (count: number): { id: string }[] =>
  Array.from({ length: count }, (_, index) => ({ id: (count - index).toString(16).padStart(24, '0') }));

describe('Page', () => {
  it.each([
    [0, 3, 0, false],
    [2, 3, 2, false],
    [3, 3, 3, false],
    [4, 3, 3, true],
  ])(
    'shows, of %d records read for a limit of %d, %d, and says whether there are more: %s',
    (read, limit, shown, more) => {
      const page = Page.of(records(read), limit);
      expect(page.items).toEqual(records(read).slice(0, shown));
      expect(page.nextCursor !== null).toBe(more);
    },
  );

  it('names the last item shown in its cursor, not the extra one', () => {
    const page = Page.of(records(4), 3);
    expect(decodeCursor(page.nextCursor ?? '')).toBe(page.items.at(-1)?.id);
  });

  it('keeps the cursor of a page when its items are mapped', () => {
    const page = Page.of(records(3), 2);
    const mapped = page.map(({ id }) => Number.parseInt(id, 16));
    expect(mapped.items).toEqual([3, 2]);
    expect(mapped.nextCursor).toBe(page.nextCursor);
  });

  it('writes cursors of 16 characters that are safe in a URL and restore the id', () => {
    fc.assert(
      fc.property(id, (last) => {
        const cursor = Page.of([{ id: last }, { id: last }], 1).nextCursor ?? '';
        return /^[A-Za-z0-9_-]{16}$/.test(cursor) && decodeCursor(cursor) === last;
      }),
    );
  });
});

describe('cursors from outside', () => {
  it.each([
    '',
    'a',
    'ZWtY0XvP4p0sYV5',
    'ZWtY0XvP4p0sYV5bb',
    'ZWtY0XvP4p0sYV5=',
    'ZWtY 0XvP4p0sYV5',
    '!!!!!!!!!!!!!!!!',
  ])('rejects the cursor %j', (cursor) => expect(decodeCursor(cursor)).toBeNull());

  it('reads every cursor from outside as an ObjectId or null', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String()), (cursor) => {
        const decoded = decodeCursor(cursor);
        return decoded === null || /^[0-9a-f]{24}$/.test(decoded);
      }),
    );
  });
});
