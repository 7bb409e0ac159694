import { ApiSchema } from '@nestjs/swagger';
import { ChoiceField, StringField, TimestampField } from '../../../http/validation/fields.js';
import { PROVIDER_NAMES } from '../../providers/provider-registry.js';

const PROVIDER = { oneOf: PROVIDER_NAMES, description: 'The payment provider.', example: 'test' };

export class PaymentMethodsQuery {
  @StringField({
    optional: true,
    maxLength: 16,
    pattern: { regex: /^\d{1,12}(?:\.\d{1,4})?$/, says: 'must be a decimal number such as 19.99' },
    description:
      'What the buyer has to pay, in major units of the currency of the shop: the total of a quote or of an order.',
    example: '19.99',
  })
  amount?: string;
}

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
