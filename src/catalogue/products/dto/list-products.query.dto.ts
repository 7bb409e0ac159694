import { SearchField } from '../../../http/paging/search.field.js';
import { SortedPageQuery } from '../../../http/paging/sorted-page.query.dto.js';
import { IdField, QueryFlagField } from '../../../http/validation/fields.js';

export class ListProductsQuery extends SortedPageQuery {
  @SearchField('the beginnings of words of the name and the slug.', 'vip rank')
  q?: string;

  @QueryFlagField({
    optional: true,
    description: 'true: only products that can be ordered; false: only those that are switched off.',
    example: true,
  })
  isActive?: boolean;

  @IdField({ optional: true, description: 'Only products in this category.', example: '655f1c2ab1e4a9d3f0c81290' })
  categoryId?: string;

  @IdField({
    optional: true,
    description: 'Only products that are sold for this game server, also those that are sold for every one.',
    example: '655f1c2ab1e4a9d3f0c81260',
  })
  serverId?: string;
}
