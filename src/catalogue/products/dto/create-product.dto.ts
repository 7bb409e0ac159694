import { ApiSchema } from '@nestjs/swagger';
import { BodyToCreate } from '../../../http/validation/derived-body.js';
import { ProductFields } from './product-fields.dto.js';

@ApiSchema({ description: 'A product to create. Unless the body says otherwise, it is for sale on every game server.' })
export class CreateProductDto extends BodyToCreate(ProductFields, ['name', 'price']) {}
