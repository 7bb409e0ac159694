import { ApiSchema } from '@nestjs/swagger';
import { StringField } from '../../../http/validation/fields.js';
import { OrderDto } from '../../order/dto/order.dto.js';

@ApiSchema({ description: 'The order, and the token with which its buyer may read it.' })
export class CreatedOrderDto extends OrderDto {
  @StringField({
    maxLength: 64,
    description: 'The value for `X-Order-Token`. Only this response shows it.',
    example: 'sho_an-opaque-text-of-43-characters',
  })
  accessToken!: string;
}
