import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Matches } from 'class-validator';
import { AppError } from '../../domain/errors/app-error.js';
import { says } from '../validation/presence.js';
import { LimitField } from './limit.field.js';
import { decodeCursor, ID_BYTES, type PageRequest } from '../../lib/paging/page.js';

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 100;

/**
 * The position in a cursor that a client has sent, in hexadecimal digits; null: it sent none.
 * @throws AppError malformed_cursor
 */
export function positionIn(cursor: string | undefined, bytesOfPosition: number): string | null {
  if (cursor === undefined) return null;
  const position = decodeCursor(cursor, bytesOfPosition);
  if (position === null) throw new AppError('malformed_cursor');
  return position;
}

/** The query of every list: `?limit` and `?cursor`. */
export class PageQuery implements PageRequest {
  @LimitField({ maximum: MAX_PAGE_SIZE, usual: DEFAULT_PAGE_SIZE })
  limit: number = DEFAULT_PAGE_SIZE;

  @ApiPropertyOptional({
    type: 'string',
    maxLength: 64,
    example: 'ZWtY0XvP4p0sYV5b',
    description: 'Position of the next page, from the `Link` header of the previous page.',
  })
  @IsOptional()
  @Matches(/^[A-Za-z0-9_-]{1,64}$/, says('must come from the Link header of a list', 'format'))
  cursor?: string;

  /**
   * The position after which the page starts, in hexadecimal digits; null for the first page.
   * @throws AppError malformed_cursor
   */
  get after(): string | null {
    return positionIn(this.cursor, this.positionBytes);
  }

  /** How many bytes a position in the list has. */
  protected get positionBytes(): number {
    return ID_BYTES;
  }
}
