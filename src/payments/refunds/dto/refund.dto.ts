import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  IdField,
  IdListField,
  MoneyField,
  ObjectListField,
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
    description:
      'The amount in major units. The default is all that can still be refunded, and with `items` what was paid for them.',
    example: 5,
  })
  amount?: number;

  @IdListField({
    optional: true,
    minItems: 1,
    description:
      'The products of the order that the refund is about: statistics take its amount off them, and it is never more than was paid for them.',
    example: ['655f1c2ab1e4a9d3f0c81240'],
  })
  items?: string[];

  @BooleanField({
    optional: true,
    description:
      'Whether the player must not keep these `items`: as soon as the provider has accepted the refund, `takeBackCommands` run for what was ' +
      'delivered, and nothing else of them is delivered. Of an order that is refunded in full, everything is taken back in any case.',
    default: false,
    example: true,
  })
  takeBack?: boolean;

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

@ApiSchema({ description: 'What a refund gives back for one product of its order.' })
export class RefundedItemDto {
  @IdField({ description: 'The product.', example: '655f1c2ab1e4a9d3f0c81240' })
  productId!: string;

  @MoneyField({ description: 'Its part of the amount, in major units.', example: 5 })
  amount!: number;
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

  @ObjectListField(
    { maxItems: 100, description: 'The items that it is about; empty: it names none.', example: [] },
    () => RefundedItemDto,
  )
  items!: RefundedItemDto[];

  @BooleanField({ description: 'Whether these items are taken back from the player.', example: false })
  takeBack!: boolean;

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
