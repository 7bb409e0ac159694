import { type ProductDto } from './dto/product.dto.js';
import { shownTerms } from './product-terms.js';
import { type ProductWithCommands } from './product.types.js';

export function toProductDto(product: ProductWithCommands): ProductDto {
  const { id, currency, createdAt } = product;
  return { id, ...shownTerms(product), currency, createdAt: createdAt.toISOString() };
}
