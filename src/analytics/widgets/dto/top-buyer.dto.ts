import { ApiSchema } from '@nestjs/swagger';
import { IntegerField, TextField } from '../../../platform/validation/fields.js';
import { MAX_SHOWN } from './widget.query.dto.js';

@ApiSchema({ description: 'A buyer who bought much.' })
export class TopBuyerDto {
  @IntegerField({ minimum: 1, maximum: MAX_SHOWN, description: '1 for the one who bought most.', example: 1 })
  rank!: number;

  @TextField({ maxLength: 32, description: 'The player that the buyer paid for last.', example: 'Steve_42' })
  nickname!: string;
}
