import { ChoiceField } from '../validation/fields.js';
import { PageQuery } from './page.query.dto.js';

const LIST_ORDERS = ['newest', 'oldest'] as const;

/** The query of a list that its reader can read from either end: `?sort`, `?limit` and `?cursor`. */
export class SortedPageQuery extends PageQuery {
  @ChoiceField({
    optional: true,
    oneOf: LIST_ORDERS,
    description: 'Which records come first: the `newest` or the `oldest` ones.',
    default: 'newest',
    example: 'newest',
  })
  sort: (typeof LIST_ORDERS)[number] = 'newest';

  get oldestFirst(): boolean {
    return this.sort === 'oldest';
  }
}
