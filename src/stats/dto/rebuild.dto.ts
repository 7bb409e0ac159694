import { ApiSchema } from '@nestjs/swagger';
import { BooleanField } from '../../common/validation/fields.js';

@ApiSchema({ description: 'A rebuild of the statistics of a shop.' })
export class RebuildDto {
  @BooleanField({
    description: 'False when the statistics were already being rebuilt: then that goes on.',
    example: true,
  })
  started!: boolean;
}
