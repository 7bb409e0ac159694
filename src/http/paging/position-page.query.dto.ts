import { LIST_POSITIONS } from '../../lib/paging/numbered-position.js';
import { PageQuery } from './page.query.dto.js';

/** The query of a list in the order of its positions: `?limit` and `?cursor`. */
export class PositionPageQuery extends PageQuery {
  protected override get positionBytes(): number {
    return LIST_POSITIONS.bytes;
  }
}
