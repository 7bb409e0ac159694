import { PickType } from '@nestjs/swagger';
import { AppError } from '../errors/app-error.js';
import { PageQuery } from './page.query.dto.js';
import { decodePlace, type Place, type PlacedPageRequest } from './placed-page.js';

/** The query of a list in the order of its positions: `?limit` and `?cursor`. */
export class PlacedPageQuery extends PickType(PageQuery, ['limit', 'cursor']) implements PlacedPageRequest {
  /**
   * The place after which the page starts; null for the first page.
   * @throws AppError malformed_cursor
   */
  get after(): Place | null {
    if (this.cursor === undefined) return null;
    const place = decodePlace(this.cursor);
    if (place === null) throw new AppError('malformed_cursor');
    return place;
  }
}
