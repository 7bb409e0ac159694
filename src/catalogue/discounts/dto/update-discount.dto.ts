import { ApiSchema } from '@nestjs/swagger';
import { BodyToUpdate } from '../../../http/validation/derived-body.js';
import { DiscountFields } from './discount-fields.dto.js';

@ApiSchema({ description: 'Changes of a discount. An absent field keeps its value, null removes a limit.' })
export class UpdateDiscountDto extends BodyToUpdate(DiscountFields) {}
