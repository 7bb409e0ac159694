import { ApiSchema } from '@nestjs/swagger';
import { BodyToCreate } from '../../../platform/validation/derived-body.js';
import { DiscountFields } from './discount-fields.dto.js';

@ApiSchema({
  description: 'A discount to create. Without a limit, the discount has none; it is active unless said otherwise.',
})
export class CreateDiscountDto extends BodyToCreate(DiscountFields, ['code', 'type', 'value']) {}
