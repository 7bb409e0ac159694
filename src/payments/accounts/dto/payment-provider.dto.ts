import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  StringField,
  StringListField,
  TimestampField,
} from '../../../http/validation/fields.js';
import { PROVIDER_NAMES } from '../../providers/provider-registry.js';

@ApiSchema({ description: "A shop's configuration of a payment provider." })
export class PaymentProviderDto {
  @ChoiceField({ oneOf: PROVIDER_NAMES, description: 'The payment provider.', example: 'custom' })
  provider!: string;

  @BooleanField({
    description:
      'Whether buyers can start payments with it. Reports about earlier payments are accepted in either case.',
    example: true,
  })
  enabled!: boolean;

  @StringListField({
    maxItems: 10,
    maxLength: 40,
    description: 'Names of the stored credentials. Their values are never returned.',
    example: ['signingSecret'],
  })
  credentials!: string[];

  @TimestampField({ description: 'When the provider was last configured.', example: '2026-11-21T12:00:00.000Z' })
  configuredAt!: string;

  @TimestampField({
    nullable: true,
    description:
      'Until when the previous webhook URL works, except at `mollie`, where it has no end; null without a rotation.',
    example: null,
  })
  previousSecretUntil!: string | null;

  @ChoiceField({
    oneOf: ['live', 'test'],
    nullable: true,
    description: 'Whether its payments are real; null: the credentials do not show it.',
    example: 'live',
  })
  mode!: string | null;

  @TimestampField({
    nullable: true,
    description:
      'When the provider accepted the credentials as they are; null: they are unchecked, because the provider could not be reached, or has no API for it.',
    example: '2026-11-21T12:00:00.000Z',
  })
  checkedAt!: string | null;

  @BooleanField({
    nullable: true,
    description: 'Whether the provider has the webhook of the shop; null: not known.',
    example: true,
  })
  webhookRegistered!: boolean | null;

  @TimestampField({
    nullable: true,
    description: 'When an authentic request of the provider arrived last, to the minute.',
    example: '2026-11-21T12:00:00.000Z',
  })
  lastEventAt!: string | null;

  @TimestampField({
    nullable: true,
    description:
      'When a request to the webhook was rejected last, although its secret is right, or was before a rotation.',
    example: null,
  })
  lastRejectedAt!: string | null;

  @StringField({
    nullable: true,
    maxLength: 500,
    description: 'What was wrong with that request.',
    example: null,
  })
  lastRejection!: string | null;

  @StringField({
    nullable: true,
    maxLength: 300,
    description: 'Why the provider rejects the credentials, or refused the last payment; null when buyers can pay.',
    example: null,
  })
  lastError!: string | null;

  @TimestampField({
    nullable: true,
    description: 'Since when buyers cannot pay for this reason; null when they can.',
    example: null,
  })
  failingSince!: string | null;

  @StringListField({
    maxItems: 10,
    maxLength: 40,
    description: 'Names of the credentials that are missing for buyers to pay.',
    example: [],
  })
  missing!: string[];

  @BooleanField({ description: 'Whether buyers can pay with this provider now.', example: true })
  canStartPayments!: boolean;
}

@ApiSchema({ description: "A shop's configuration of a payment provider, with the secrets that are shown only once." })
export class RevealedPaymentProviderDto extends PaymentProviderDto {
  @StringField({
    nullable: true,
    maxLength: 500,
    format: 'uri',
    description:
      'The URL to configure at the provider. It contains a secret and is shown once; null when it was shown before (rotate the secret to get a new one).',
    example: `http://localhost:3000/api/v2/payments/webhooks/custom/655f1c2ab1e4a9d3f0c81234/${'A'.repeat(43)}`,
  })
  webhookUrl!: string | null;

  @StringField({
    nullable: true,
    maxLength: 120,
    description: 'The signing secret, if this call made it; otherwise null.',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  })
  signingSecret!: string | null;
}
