import { ApiSchema, PickType } from '@nestjs/swagger';
import { BodyToUpdate } from '../../../http/validation/derived-body.js';
import { IdField, IntegerField, ObjectListField } from '../../../http/validation/fields.js';
import { ProductFields } from './product-fields.dto.js';

/** How many products one request can change: all of them are changed in one transaction. */
export const MAX_ARRANGED = 50;

@ApiSchema({ description: 'Where a product stands, and whether it is for sale. An absent field keeps its value.' })
export class ProductPlaceDto extends BodyToUpdate(PickType(ProductFields, ['position', 'isActive'])) {
  @IdField({ description: 'The product.', example: '655f1c2ab1e4a9d3f0c81270' })
  productId!: string;
}

@ApiSchema({ description: 'Products to reorder, to hide or to show.' })
export class ArrangeProductsDto {
  @ObjectListField(
    {
      minItems: 1,
      maxItems: MAX_ARRANGED,
      description: 'Each product once.',
      example: [
        { productId: '655f1c2ab1e4a9d3f0c81270', position: 10 },
        { productId: '655f1c2ab1e4a9d3f0c81271', position: 20, isActive: false },
      ],
    },
    () => ProductPlaceDto,
  )
  products!: ProductPlaceDto[];
}

@ApiSchema({ description: 'What was changed.' })
export class ArrangedProductsDto {
  @IntegerField({
    minimum: 0,
    maximum: MAX_ARRANGED,
    description: 'How many products changed; the others were as the request wants them.',
    example: 2,
  })
  changed!: number;
}
