import { ApiSchema } from '@nestjs/swagger';
import { ChoiceField, ObjectListField, StringField } from '../../../http/validation/fields.js';
import { PRODUCT_WARNINGS, type ProductWarning } from '../product-warnings.js';
import { ProductDto } from './product.dto.js';

@ApiSchema({ description: 'A setting of a product that is allowed but is probably a mistake.' })
export class ProductWarningDto implements ProductWarning {
  @ChoiceField({ oneOf: PRODUCT_WARNINGS, description: 'The kind, for programs.', example: 'leading_slash' })
  code!: ProductWarning['code'];

  @StringField({
    maxLength: 1_000,
    description: 'The sentence for people.',
    example: 'Most consoles do not know a command with a leading /: remove it, unless your server needs it',
  })
  message!: string;

  @StringField({ maxLength: 80, description: 'The field, with the position in its list.', example: 'commands.0' })
  field!: string;
}

@ApiSchema({ description: 'A product as it was saved, with its probable mistakes.' })
export class ChangedProductDto extends ProductDto {
  @ObjectListField(
    {
      maxItems: 200,
      description: 'The probable mistakes; empty: none.',
      example: [],
    },
    () => ProductWarningDto,
  )
  warnings!: readonly ProductWarningDto[];
}
