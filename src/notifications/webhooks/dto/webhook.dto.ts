import { ApiSchema, OmitType } from '@nestjs/swagger';
import { BodyToCreate, BodyToUpdate } from '../../../http/validation/derived-body.js';
import { IdField, StringField, TimestampField } from '../../../http/validation/fields.js';
import { WebhookFields } from './webhook-fields.dto.js';

@ApiSchema({ description: 'A webhook to create. It is active and `standard` unless the body says otherwise.' })
export class CreateWebhookDto extends BodyToCreate(WebhookFields, ['url', 'events']) {}

@ApiSchema({ description: 'Changes of a webhook. An absent field keeps its value.' })
export class UpdateWebhookDto extends BodyToUpdate(WebhookFields) {}

@ApiSchema({ description: 'A webhook of a shop.' })
export class WebhookDto extends OmitType(WebhookFields, ['url']) {
  @IdField({ description: 'Identifier of the webhook.', example: '655f1c2ab1e4a9d3f0c812d0' })
  id!: string;

  @StringField({
    nullable: true,
    maxLength: 2_000,
    description: 'Where the events are sent; null when it was encrypted with a key that the service no longer has.',
    example: 'https://example.com/hooks/shop',
  })
  url!: string | null;

  @TimestampField({
    nullable: true,
    description: 'Until when requests are signed with the previous secret too; null: they are not.',
    example: null,
  })
  previousSecretUntil!: string | null;

  @TimestampField({
    nullable: true,
    description: 'Since when the receiver has accepted no event; null: it accepted the latest one, or none was sent.',
    example: null,
  })
  failingSince!: string | null;

  @TimestampField({
    nullable: true,
    description:
      'When the service switched it off because it had failed for days, or responded with 410; null: it did not.',
    example: null,
  })
  disabledAt!: string | null;

  @TimestampField({ description: 'When it was created.', example: '2026-11-21T12:00:00.000Z' })
  createdAt!: string;

  @StringField({ maxLength: 64, description: 'Who created it.', example: 'user:655f1c2ab1e4a9d3f0c81299' })
  createdBy!: string;
}

@ApiSchema({ description: 'A webhook with its new secret, which is shown only once.' })
export class RevealedWebhookDto extends WebhookDto {
  @StringField({
    minLength: 50,
    maxLength: 50,
    pattern: { regex: /^whsec_[A-Za-z0-9+/]{43}=$/, says: 'must be a signing secret' },
    description: 'The signing secret. Libraries for Standard Webhooks take it as it is.',
    example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfgh5cnaRk=',
  })
  secret!: string;
}
