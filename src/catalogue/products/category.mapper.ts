import { renderMarkdown } from '../../lib/formats/markdown.js';
import { type SoldCategory } from '../snapshot/catalogue-snapshot.js';
import { type Category } from './category.types.js';
import { type CategoryDto } from './dto/category.dto.js';
import { type PublicCategoryDto } from './dto/public-category.dto.js';

export function toCategoryDto(category: Category): CategoryDto {
  return { ...toPublicCategoryDto(category), createdAt: category.createdAt.toISOString() };
}

export function toPublicCategoryDto(category: SoldCategory): PublicCategoryDto {
  const { id, name, slug, description, parentId, imageId, position } = category;
  return { id, name, slug, description, descriptionHtml: renderMarkdown(description), parentId, imageId, position };
}
