import { type Category } from './category.types.js';
import { type CategoryDto } from './dto/category.dto.js';
import { type PublicCategoryDto } from './dto/public-category.dto.js';

export function toCategoryDto({ id, name, slug, position, createdAt }: Category): CategoryDto {
  return { id, name, slug, position, createdAt: createdAt.toISOString() };
}

export function toPublicCategoryDto({
  id,
  name,
  slug,
  position,
}: Pick<Category, 'id' | 'name' | 'slug' | 'position'>): PublicCategoryDto {
  return { id, name, slug, position };
}
