import { ApiSchema } from '@nestjs/swagger';
import { ChoiceField, StringField, TimestampField } from '../../../platform/validation/fields.js';
import { PROVIDER_NAMES } from '../../providers/provider-registry.js';

const PROVIDER = { oneOf: PROVIDER_NAMES, description: 'The payment provider.', example: 'test' };

@ApiSchema({ description: 'A payment method.' })
export class PaymentMethodDto {
  @ChoiceField(PROVIDER)
  provider!: string;

  @StringField({ maxLength: 60, description: 'Its name for buyers.', example: 'Test payment' })
  title!: string;
}

@ApiSchema({ description: 'A payment that the buyer can make.' })
export class BuyerPaymentDto {
  @ChoiceField(PROVIDER)
  provider!: string;

  @StringField({
    maxLength: 255,
    description: "The provider's id of the payment.",
    example: 'test_2KWPBgLlAfxdpx2AI54p',
  })
  paymentId!: string;

  @StringField({
    maxLength: 2_000,
    format: 'uri',
    description: 'Where to send the buyer.',
    example: 'http://localhost:3000/api/v2/test-payments/test_2KWPBgLlAfxdpx2AI54p',
  })
  url!: string;

  @TimestampField({ description: 'Until when the buyer can pay there.', example: '2026-11-21T13:00:00.000Z' })
  expiresAt!: string;
}
