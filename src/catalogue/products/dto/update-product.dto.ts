import { ApiSchema } from '@nestjs/swagger';
import { BodyToUpdate } from '../../../http/validation/derived-body.js';
import { ProductFields } from './product-fields.dto.js';

@ApiSchema({ description: 'Changes of a product. An absent field keeps its value, null clears it.' })
export class UpdateProductDto extends BodyToUpdate(ProductFields) {}
