import { SearchField } from '../../../http/paging/search.field.js';
import { SortedPageQuery } from '../../../http/paging/sorted-page.query.dto.js';
import { ChoiceField, IdField, QueryFlagField } from '../../../http/validation/fields.js';
import { DISCOUNT_TYPES, type DiscountType } from '../discount.types.js';

export class ListDiscountsQuery extends SortedPageQuery {
  @SearchField('the beginning of the code, in any spelling of it, or the beginnings of words in the name.', 'SUMMER')
  q?: string;

  @ChoiceField({ optional: true, oneOf: DISCOUNT_TYPES, description: 'Only discounts of this type.', example: 'fixed' })
  type?: DiscountType;

  @QueryFlagField({
    optional: true,
    description: 'true: only codes that are switched on; false: only those that are not.',
    example: true,
  })
  isActive?: boolean;

  @IdField({
    optional: true,
    description: 'Only discounts that are limited to products of which this is one.',
    example: '655f1c2ab1e4a9d3f0c81270',
  })
  productId?: string;

  @IdField({
    optional: true,
    description: 'Only discounts that are limited to game servers of which this is one.',
    example: '655f1c2ab1e4a9d3f0c81260',
  })
  serverId?: string;
}
