import { type Category } from './category.types.js';
import { type CategoryDto } from './dto/category.dto.js';

export function toCategoryDto({ id, name, slug, position, createdAt }: Category): CategoryDto {
  return { id, name, slug, position, createdAt: createdAt.toISOString() };
}
