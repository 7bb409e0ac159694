import { PositionPageQuery } from '../../../http/paging/position-page.query.dto.js';
import { SearchField } from '../../../http/paging/search.field.js';
import { IdField } from '../../../http/validation/fields.js';

export class PublicProductsQuery extends PositionPageQuery {
  @SearchField('the beginnings of words of the name and the slug.', 'vip rank')
  q?: string;

  @IdField({
    optional: true,
    description: 'Only products in this category, and in those that are parts of it.',
    example: '655f1c2ab1e4a9d3f0c81290',
  })
  categoryId?: string;
}
