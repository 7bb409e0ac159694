import { describe, expect, it } from '@jest/globals';
import { validationPipe } from '../validation/validation.pipe.js';
import { PageQuery, positionIn } from './page.query.dto.js';

const read = (query: object): Promise<PageQuery> =>
  validationPipe().transform(query, { type: 'query', metatype: PageQuery }) as Promise<PageQuery>;

describe('The limit of a list', () => {
  it.each([
    [{}, 50],
    [{ limit: '1' }, 1],
    [{ limit: '100' }, 100],
  ])('reads the limit of a list %j as %d', async (query, limit) => {
    expect((await read(query)).limit).toBe(limit);
  });

  it.each(['0x1', '1e1', '0b1', ' 1', '1 ', '+1', '1.0', '-1', '', 'NaN', '\u0661', '0', '101', ['1', '2']])(
    'rejects the limit %j of a list',
    async (limit) => {
      await expect(read({ limit })).rejects.toThrow(/^limit must be/);
    },
  );
});

describe('The cursor of a list', () => {
  it('reads the position in a cursor, and none without a cursor', () => {
    expect(positionIn(Buffer.from('0123456789abcdef01234567', 'hex').toString('base64url'), 12)).toBe(
      '0123456789abcdef01234567',
    );
    expect(positionIn(undefined, 12)).toBeNull();
  });

  it.each(['AAAA', 'A'.repeat(15), 'A'.repeat(17), 'A'.repeat(64)])(
    'rejects the cursor %s, which would begin with the first page again',
    (cursor) => {
      expect(() => positionIn(cursor, 12)).toThrow(expect.objectContaining({ code: 'malformed_cursor' }));
    },
  );
});
