import { ApiSchema } from '@nestjs/swagger';
import { IntegerField } from '../../common/validation/fields.js';

const DAY_SECONDS = 86_400;

@ApiSchema({ description: 'How to replace the secret in a webhook URL.' })
export class RotateWebhookSecretDto {
  @IntegerField({
    optional: true,
    minimum: 0,
    maximum: 7 * DAY_SECONDS,
    description: 'For how long the URL before this one still works; a day by default.',
    default: DAY_SECONDS,
    example: DAY_SECONDS,
  })
  graceSeconds: number = DAY_SECONDS;
}
