import { ApiSchema } from '@nestjs/swagger';
import { BooleanField, ChoiceField, TextField, TextListField, TimestampField } from '../../common/validation/fields.js';
import { PROVIDER_NAMES } from '../providers/provider-registry.js';

/** A shop's configuration of a payment provider. */
@ApiSchema({ description: "A shop's configuration of a payment provider." })
export class PaymentProviderDto {
  @ChoiceField({ oneOf: PROVIDER_NAMES, description: 'The payment provider.', example: 'custom' })
  provider!: string;

  @BooleanField({ description: 'Whether notifications of the provider are taken.', example: true })
  enabled!: boolean;

  @TextListField({
    maxItems: 10,
    maxLength: 40,
    description: 'Names of the credentials that are stored; their values are never answered.',
    example: ['signingSecret'],
  })
  credentials!: string[];

  @TimestampField({ description: 'When the provider was last configured.', example: '2026-11-21T12:00:00.000Z' })
  configuredAt!: string;

  @TimestampField({
    nullable: true,
    description: 'Until when the webhook URL before the last rotation works; null without a rotation.',
    example: null,
  })
  previousSecretUntil!: string | null;
}

/** The same, with what is shown only once. */
@ApiSchema({ description: "A shop's configuration of a payment provider, with what is shown only once." })
export class RevealedPaymentProviderDto extends PaymentProviderDto {
  @TextField({
    nullable: true,
    maxLength: 500,
    format: 'uri',
    description:
      'Where the provider has to send its notifications. Holds a secret and is shown once: null when it was shown before (rotate the secret for a new one).',
    example: `http://localhost:3000/api/v2/payments/webhooks/custom/655f1c2ab1e4a9d3f0c81234/${'A'.repeat(43)}`,
  })
  webhookUrl!: string | null;

  @TextField({
    nullable: true,
    maxLength: 120,
    description: 'The signing secret when it was made by this call; null otherwise.',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  })
  signingSecret!: string | null;
}
