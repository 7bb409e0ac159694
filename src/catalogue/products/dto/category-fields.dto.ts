import { StringField } from '../../../http/validation/fields.js';
import { PositionField, SlugField } from './storefront.fields.js';

/** The fields that a shop writes. The bodies of POST and PATCH and the record of the response are derived from them. */
export class CategoryFields {
  @StringField({ maxLength: 80, description: 'Name.', example: 'Ranks' })
  name!: string;

  @SlugField({
    description: 'The name in URLs of the storefront, unique in the shop; null: none.',
    example: 'ranks',
  })
  slug!: string | null;

  @PositionField()
  position!: number;
}
