import { ApiSchema } from '@nestjs/swagger';
import { IntegerField, StringField } from '../../../http/validation/fields.js';
import { MAX_SHOWN } from './widget.query.dto.js';

@ApiSchema({ description: 'One of the buyers who paid most.' })
export class TopBuyerDto {
  @IntegerField({ minimum: 1, maximum: MAX_SHOWN, description: 'The rank; 1 is the buyer who paid most.', example: 1 })
  rank!: number;

  @StringField({
    maxLength: 32,
    description: "The player of the buyer's latest paid order; `somebody` for a buyer whom the shop has erased.",
    example: 'Steve_42',
  })
  nickname!: string;
}
