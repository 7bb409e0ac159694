import { IdField, MultiLineField, StringField } from '../../../http/validation/fields.js';
import { ImageIdField } from '../../../http/validation/image-id.field.js';
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

  @MultiLineField({
    maxLength: 2000,
    description: 'Description, as small Markdown like that of a product.',
    example: 'Ranks last for 30 days.',
  })
  description!: string;

  @IdField({
    nullable: true,
    description: 'The category that it is a part of, which must not be a part itself; null: it stands alone.',
    example: null,
  })
  parentId!: string | null;

  @ImageIdField({ nullable: true, description: 'The image of the shop that shows it; null: none.' })
  imageId!: string | null;

  @PositionField()
  position!: number;
}
