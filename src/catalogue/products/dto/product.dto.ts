import { ApiSchema } from '@nestjs/swagger';
import { IdField, StringField, TimestampField } from '../../../http/validation/fields.js';
import { ProductFields } from './product-fields.dto.js';

@ApiSchema({ description: 'A product of a shop.' })
export class ProductDto extends ProductFields {
  @IdField({ description: 'Identifier of the product.', example: '655f1c2ab1e4a9d3f0c81270' })
  id!: string;

  @StringField({
    minLength: 0,
    maxLength: 500_000,
    description:
      'The description as HTML that is safe to show: the elements `p br ul ol li strong em a`, with links to http(s) addresses. ' +
      'Everything else in the description is escaped.',
    example: '<p>A <strong>golden</strong> name for 30 days.</p>',
  })
  descriptionHtml!: string;

  @StringField({ maxLength: 3, description: 'ISO 4217 code of the price.', example: 'EUR' })
  currency!: string;

  @TimestampField({ description: 'When it was created.', example: '2026-11-21T12:00:00.000Z' })
  createdAt!: string;
}
