import { ApiSchema } from '@nestjs/swagger';
import { BodyToCreate } from '../../../http/validation/derived-body.js';
import { DiscountFields } from './discount-fields.dto.js';

@ApiSchema({
  description:
    'A discount to create. A limit that is absent does not apply. The discount is active unless the body says otherwise.',
})
export class CreateDiscountDto extends BodyToCreate(DiscountFields, ['code', 'type', 'value']) {}
