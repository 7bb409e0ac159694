import { ApiSchema } from '@nestjs/swagger';
import { BooleanField } from '../../../platform/validation/fields.js';

@ApiSchema({ description: 'A rebuild of the statistics of a shop.' })
export class RebuildDto {
  @BooleanField({
    description: 'False when the sums are being computed already, also for the first time: then that goes on.',
    example: true,
  })
  started!: boolean;
}
