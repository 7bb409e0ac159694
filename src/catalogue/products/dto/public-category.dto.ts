import { ApiSchema, PickType } from '@nestjs/swagger';
import { CategoryDto } from './category.dto.js';

@ApiSchema({ description: 'A category as everybody may see it.' })
export class PublicCategoryDto extends PickType(CategoryDto, ['id', 'name', 'slug', 'position']) {}
