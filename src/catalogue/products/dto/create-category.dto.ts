import { ApiSchema } from '@nestjs/swagger';
import { BodyToCreate } from '../../../http/validation/derived-body.js';
import { CategoryFields } from './category-fields.dto.js';

@ApiSchema({ description: 'A category to create.' })
export class CreateCategoryDto extends BodyToCreate(CategoryFields, ['name']) {}
