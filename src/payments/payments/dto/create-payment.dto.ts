import { ApiSchema } from '@nestjs/swagger';
import { BooleanField, ChoiceField, StringField } from '../../../http/validation/fields.js';
import { PROVIDER_NAMES } from '../../providers/provider-registry.js';

const MAX_URL = 2_000;

@ApiSchema({ description: 'How a buyer wants to pay.' })
export class CreatePaymentDto {
  @ChoiceField({ oneOf: PROVIDER_NAMES, description: 'One of the methods of the shop.', example: 'test' })
  provider!: string;

  @StringField({
    optional: true,
    maxLength: MAX_URL,
    format: 'uri',
    description:
      'Where the provider sends the buyer after the payment: an address on the front end of the shop, or at one of its `origins`. The default is its first page. It proves nothing: read the order.',
    example: 'https://sky-realm.shops.localhost/thanks',
  })
  successUrl?: string;

  @StringField({
    optional: true,
    maxLength: MAX_URL,
    format: 'uri',
    description: 'Where the provider sends a buyer who cancels: an address as for `successUrl`.',
    example: 'https://sky-realm.shops.localhost/basket',
  })
  cancelUrl?: string;

  @BooleanField({
    optional: true,
    description:
      'Required to be true while `paymentStatus` is `processing`: the bank is confirming another payment, so the buyer may pay twice.',
    example: false,
  })
  confirmSecondPayment?: boolean;
}
