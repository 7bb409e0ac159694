import { ApiSchema } from '@nestjs/swagger';
import { BodyToUpdate } from '../../../http/validation/derived-body.js';
import { CategoryFields } from './category-fields.dto.js';

@ApiSchema({ description: 'Changes of a category. An absent field keeps its value, null clears it.' })
export class UpdateCategoryDto extends BodyToUpdate(CategoryFields) {}
