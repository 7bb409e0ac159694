import { ApiSchema } from '@nestjs/swagger';
import { DAY_MS, SECOND_MS } from '../../../lib/time/durations.js';
import { IntegerField } from '../../../http/validation/fields.js';

const DAY_SECONDS = DAY_MS / SECOND_MS;

@ApiSchema({ description: 'How to rotate an API key.' })
export class RotateApiKeyDto {
  @IntegerField({
    optional: true,
    minimum: 0,
    maximum: 7 * DAY_SECONDS,
    description: 'For how many seconds the current secret keeps working; 0 ends it at once.',
    default: DAY_SECONDS,
    example: 3_600,
  })
  graceSeconds: number = DAY_SECONDS;
}
