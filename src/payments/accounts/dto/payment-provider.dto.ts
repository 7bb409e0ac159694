import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  StringField,
  StringListField,
  TimestampField,
} from '../../../platform/validation/fields.js';
import { PROVIDER_NAMES } from '../../providers/provider-registry.js';

@ApiSchema({ description: "A shop's configuration of a payment provider." })
export class PaymentProviderDto {
  @ChoiceField({ oneOf: PROVIDER_NAMES, description: 'The payment provider.', example: 'custom' })
  provider!: string;

  @BooleanField({ description: 'Whether the webhook accepts requests of the provider.', example: true })
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
    description: 'Until when the previous webhook URL works; null without a rotation.',
    example: null,
  })
  previousSecretUntil!: string | null;
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
