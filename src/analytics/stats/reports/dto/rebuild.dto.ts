import { ApiSchema } from '@nestjs/swagger';
import { BooleanField } from '../../../../http/validation/fields.js';

@ApiSchema({ description: 'A rebuild of the statistics of a shop.' })
export class RebuildDto {
  @BooleanField({
    description: 'false when a computation is already running; it continues.',
    example: true,
  })
  started!: boolean;
}
