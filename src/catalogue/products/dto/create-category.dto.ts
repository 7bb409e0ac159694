import { ApiSchema } from '@nestjs/swagger';
import { BodyToCreate } from '../../../platform/validation/derived-body.js';
import { CategoryFields } from './category-fields.dto.js';

@ApiSchema({ description: 'A category to create.' })
export class CreateCategoryDto extends BodyToCreate(CategoryFields, ['name']) {}
