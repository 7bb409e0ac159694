import { ApiSchema } from '@nestjs/swagger';
import { IdField, StringField, TimestampField } from '../../../http/validation/fields.js';
import { CategoryFields } from './category-fields.dto.js';

@ApiSchema({ description: 'A category of products.' })
export class CategoryDto extends CategoryFields {
  @IdField({ description: 'Identifier of the category.', example: '655f1c2ab1e4a9d3f0c81290' })
  id!: string;

  @StringField({
    minLength: 0,
    maxLength: 20_000,
    description: 'The description as harmless HTML.',
    example: '<p>Ranks last for 30 days.</p>',
  })
  descriptionHtml!: string;

  @TimestampField({ description: 'When it was created.', example: '2026-11-21T12:00:00.000Z' })
  createdAt!: string;
}
