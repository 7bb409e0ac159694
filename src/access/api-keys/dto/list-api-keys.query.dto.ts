import { PageQuery } from '../../../http/paging/page.query.dto.js';
import { ChoiceField, IdField, QueryFlagField } from '../../../http/validation/fields.js';
import { API_KEY_TYPES, type ApiKeyType } from '../api-key.types.js';

export class ListShopApiKeysQuery extends PageQuery {
  @ChoiceField({ optional: true, oneOf: API_KEY_TYPES, description: 'Only keys of this type.', example: 'plugin' })
  type?: ApiKeyType;

  @QueryFlagField({
    optional: true,
    description: 'true: only keys that work; false: only keys that do not.',
    example: true,
  })
  isActive?: boolean;
}

export class ListApiKeysQuery extends ListShopApiKeysQuery {
  @IdField({ optional: true, description: 'Only keys of this shop.', example: '655f1c2ab1e4a9d3f0c81234' })
  shopId?: string;
}
