import { Transform } from 'class-transformer';
import { PageQuery } from '../../../platform/http/page.query.dto.js';
import { BooleanField, ChoiceField, IdField } from '../../../platform/validation/fields.js';
import { API_KEY_TYPES, type ApiKeyType } from '../api-key.types.js';

const WORDS: Readonly<Record<string, boolean>> = { true: true, false: false };

export class ListShopApiKeysQuery extends PageQuery {
  @ChoiceField({ optional: true, oneOf: API_KEY_TYPES, description: 'Only keys of this type.', example: 'plugin' })
  type?: ApiKeyType;

  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? (WORDS[value] ?? value) : value))
  @BooleanField({
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
