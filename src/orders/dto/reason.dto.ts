import { ApiSchema } from '@nestjs/swagger';
import { TextField } from '../../common/validation/fields.js';

@ApiSchema({ description: 'Why staff act on an order. It is in the history of the order and in the audit log.' })
export class ReasonDto {
  @TextField({ maxLength: 200, description: 'Why.', example: 'The server had crashed' })
  reason!: string;
}
