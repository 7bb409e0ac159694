import { ApiSchema } from '@nestjs/swagger';
import { type DecidedOutcome, DECISIONS } from '../../../delivery/deliveries/delivery.types.js';
import { REVIEW_DECISIONS } from '../../../domain/payments/payment-review.js';
import { BooleanField, ChoiceField, IdField, MultiLineField, StringField } from '../../../http/validation/fields.js';
import { type PaymentReview } from '../../order/order.types.js';

@ApiSchema({ description: 'Why staff act on an order. It is in the history of the order and in the audit log.' })
export class ReasonDto {
  @StringField({ maxLength: 200, description: 'Why.', example: 'The server had crashed' })
  reason!: string;
}

@ApiSchema({ description: 'Why staff queue deliveries again, and which.' })
export class RedeliverDto extends ReasonDto {
  @IdField({
    optional: true,
    description: 'Only this delivery: an `id` of the `deliveries` of the order.',
    example: '655f1c2ab1e4a9d3f0c812a0',
  })
  deliveryId?: string;

  @BooleanField({
    optional: true,
    description: 'Whether also what is uncertain is queued again, although its commands may have run.',
    default: false,
    example: false,
  })
  mayRunTwice?: boolean;
}

@ApiSchema({ description: 'A note of staff about an order.' })
export class AddOrderNoteDto {
  @MultiLineField({
    minLength: 1,
    maxLength: 1000,
    description: 'The note. Only staff see it, in the history of the order.',
    example: 'Lost the sword in a crash, waits for the backup',
  })
  text!: string;
}

@ApiSchema({ description: 'What staff know about an uncertain delivery.' })
export class DecideDeliveryDto extends ReasonDto {
  @ChoiceField({
    oneOf: DECISIONS,
    description: '`delivered`: the player has it. `failed`: the player does not; the delivery can be queued again.',
    example: 'delivered',
  })
  outcome!: DecidedOutcome;
}

@ApiSchema({ description: 'What staff decide about a payment that needs a review.' })
export class ResolveOrderDto extends ReasonDto {
  @ChoiceField({
    oneOf: REVIEW_DECISIONS,
    description: '`accept`: the order counts as paid. `reject`: it counts as not paid, and ends if it is open.',
    example: 'accept',
  })
  decision!: PaymentReview['decision'];
}
