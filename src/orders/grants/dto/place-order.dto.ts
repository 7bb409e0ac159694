import { ApiSchema, PickType } from '@nestjs/swagger';
import { ChoiceField, EmailField, MoneyField, StringField } from '../../../http/validation/fields.js';
import { CheckoutDto } from '../../checkout/dto/checkout.dto.js';
import { STAFF_ORIGINS, type StaffOrigin } from '../../order/order.types.js';

@ApiSchema({ description: 'An order that staff place for a player. Its products can be inactive.' })
export class PlaceOrderDto extends PickType(CheckoutDto, ['items', 'serverId', 'nickname']) {
  @EmailField({
    optional: true,
    description: 'Who gets the emails about the order; without it nobody does.',
    example: 'buyer@example.com',
  })
  email?: string;

  @ChoiceField({
    oneOf: STAFF_ORIGINS,
    description:
      '`grant` gives the items away. `paid_outside` is a sale that was paid without a payment provider, such as in cash: it counts as ' +
      'revenue with the payment method `outside`. `rehearsal` runs everything that follows a sale, marked as a rehearsal: it takes no stock, ' +
      'and no figure counts it.',
    example: 'grant',
  })
  kind!: StaffOrigin;

  @MoneyField({
    optional: true,
    description: 'What was paid, in major units; only with `paid_outside`, by default the price of the items.',
    example: 9.99,
  })
  amount?: number;

  @StringField({
    maxLength: 200,
    description: 'Why, for the history of the order and the audit log.',
    example: 'Winner of the building contest',
  })
  reason!: string;
}
