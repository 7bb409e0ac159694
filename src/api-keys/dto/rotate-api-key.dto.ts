import { ApiSchema } from '@nestjs/swagger';
import { IntegerField } from '../../common/validation/fields.js';

const DAY_SECONDS = 86_400;

@ApiSchema({ description: 'How to rotate an API key.' })
export class RotateApiKeyDto {
  @IntegerField({
    optional: true,
    minimum: 0,
    maximum: 7 * DAY_SECONDS,
    description: 'How long the present secret is accepted beside the new one; 0 ends it at once.',
    default: DAY_SECONDS,
    example: 3_600,
  })
  graceSeconds: number = DAY_SECONDS;
}
