import { ApiSchema, PickType } from '@nestjs/swagger';
import { CategoryDto } from './category.dto.js';

@ApiSchema({ description: 'The public view of a category.' })
export class PublicCategoryDto extends PickType(CategoryDto, [
  'id',
  'name',
  'slug',
  'description',
  'descriptionHtml',
  'parentId',
  'imageId',
  'position',
]) {}
