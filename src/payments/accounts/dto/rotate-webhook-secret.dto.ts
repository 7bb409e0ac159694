import { ApiSchema } from '@nestjs/swagger';
import { DAY_MS, SECOND_MS } from '../../../lib/time/durations.js';
import { IntegerField } from '../../../http/validation/fields.js';

const DAY_SECONDS = DAY_MS / SECOND_MS;

@ApiSchema({ description: 'How to replace the secret in a webhook URL.' })
export class RotateWebhookSecretDto {
  @IntegerField({
    optional: true,
    minimum: 0,
    maximum: 7 * DAY_SECONDS,
    description: 'How long the previous URL still works. The default is a day.',
    default: DAY_SECONDS,
    example: DAY_SECONDS,
  })
  graceSeconds: number = DAY_SECONDS;
}
