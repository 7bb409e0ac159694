import { toMajor } from '../common/money/money.js';
import { type ProductDto } from './dto/product.dto.js';
import { type ProductWithCommands } from './product.types.js';

export function toProductDto(product: ProductWithCommands): ProductDto {
  return {
    id: product.id,
    name: product.name,
    description: product.description,
    price: toMajor(product.priceMinor, product.currency),
    currency: product.currency,
    imageUrl: product.imageUrl,
    serverIds: product.serverIds,
    commands: product.commands,
    requiresOnline: product.requiresOnline,
    isActive: product.isActive,
    createdAt: product.createdAt.toISOString(),
  };
}
