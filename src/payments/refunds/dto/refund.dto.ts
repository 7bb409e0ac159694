import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  IdField,
  MoneyField,
  StringField,
  TimestampField,
} from '../../../http/validation/fields.js';
import { OUTSIDE_PROVIDER } from '../../../orders/order/payment-event.types.js';
import { PROVIDER_NAMES } from '../../providers/provider-registry.js';
import { REFUND_STATES, type RefundState } from '../refund.types.js';

@ApiSchema({ description: 'The refund of a payment.' })
export class CreateRefundDto {
  @MoneyField({
    optional: true,
    minimum: 0.001,
    description: 'The amount in major units. The default is all that can still be refunded.',
    example: 5,
  })
  amount?: number;

  @StringField({
    optional: true,
    maxLength: 255,
    description: "The provider's id of the payment. Only an order with several payments needs it.",
    example: 'pi_3MtwBwLkdIwHu7ix28a3tqPa',
  })
  paymentId?: string;

  @BooleanField({
    optional: true,
    description:
      'Refunds an order although another one has replaced what it gave, and cost only the difference. Without it, such a refund is rejected with ' +
      '`refund_has_upgrade`.',
    example: false,
  })
  force?: boolean;

  @StringField({
    maxLength: 200,
    description: 'The reason. It is in the history of the order.',
    example: 'Bought twice',
  })
  reason!: string;
}

@ApiSchema({ description: 'A refund that staff requested.' })
export class RefundDto {
  @IdField({ description: 'The refund.', example: '655f1c2ab1e4a9d3f0c812d0' })
  id!: string;

  @IdField({ description: 'The order.', example: '655f1c2ab1e4a9d3f0c81250' })
  orderId!: string;

  @ChoiceField({
    oneOf: [...PROVIDER_NAMES, OUTSIDE_PROVIDER],
    description: 'The payment provider; `outside`: staff had received the payment, and give it back themselves.',
    example: 'stripe',
  })
  provider!: string;

  @StringField({
    maxLength: 255,
    description: "The provider's id of the payment.",
    example: 'pi_3MtwBwLkdIwHu7ix28a3tqPa',
  })
  paymentId!: string;

  @StringField({
    nullable: true,
    maxLength: 255,
    description: "The provider's id of the refund, when it is known.",
    example: 're_1Nispe2eZvKYlo2Cd31jOCgZ',
  })
  refundId!: string | null;

  @MoneyField({ description: 'The amount in major units.', example: 5 })
  amount!: number;

  @StringField({ maxLength: 3, description: 'ISO 4217.', example: 'EUR' })
  currency!: string;

  @StringField({ maxLength: 200, description: 'Why.', example: 'Bought twice' })
  reason!: string;

  @ChoiceField({
    oneOf: REFUND_STATES,
    description:
      '`requested`: the provider has not confirmed it, and the service retries. `pending`: the money is on its way. ' +
      '`succeeded`: the buyer gets it. `failed`: the buyer does not get it; with the failure `not_confirmed`, nobody knows.',
    example: 'succeeded',
  })
  state!: RefundState;

  @StringField({
    nullable: true,
    maxLength: 255,
    description:
      'Why it failed, as a code of the provider. `not_confirmed`: the provider never confirmed it; check its dashboard before ' +
      'you try again.',
    example: null,
  })
  failure!: string | null;

  @TimestampField({ description: 'When staff requested it.', example: '2026-11-21T12:00:00.000Z' })
  createdAt!: string;
}
