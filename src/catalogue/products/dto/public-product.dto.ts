import { ApiSchema, PickType } from '@nestjs/swagger';
import { ProductDto } from './product.dto.js';

/** What everybody may know of a product. Its commands and the servers that are hidden are not among it. */
const PUBLIC_FIELDS = [
  ...(['id', 'name', 'slug', 'summary', 'description', 'descriptionHtml', 'label', 'metadata', 'featured'] as const),
  ...(['price', 'compareAtPrice', 'currency'] as const),
  ...(['imageUrls', 'categoryId', 'position', 'stock', 'maxPerOrder', 'maxPerBuyer', 'serverIds'] as const),
  ...(['durationDays', 'requiresOnline'] as const),
] as const;

@ApiSchema({ description: 'The public view of a product. `stock` is the number of units that are left.' })
export class PublicProductDto extends PickType(ProductDto, PUBLIC_FIELDS) {}
