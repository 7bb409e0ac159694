import { ApiSchema } from '@nestjs/swagger';
import { ChoiceField, IdField, MoneyField, StringField, TimestampField } from '../../../http/validation/fields.js';
import { PAYMENT_EVENT_TYPES, type PaymentEventType } from '../../../orders/order/payment-event.types.js';

@ApiSchema({
  description: "What a payment system of the shop's own (`custom`) reports. It is signed by Standard Webhooks.",
})
export class CustomEventDto {
  @ChoiceField({
    oneOf: PAYMENT_EVENT_TYPES,
    description: 'What happened. Another type is stored and changes nothing.',
    example: 'payment.succeeded',
  })
  type!: PaymentEventType;

  @IdField({ description: 'The order.', example: '655f1c2ab1e4a9d3f0c81250' })
  orderId!: string;

  @StringField({
    maxLength: 255,
    description: 'Your id of the payment, the same in all of its events.',
    example: 'pay_1',
  })
  paymentId!: string;

  @StringField({
    optional: true,
    maxLength: 255,
    description: 'Only in refund events: your id of the refund, the same in all of its events.',
    example: 're_1',
  })
  refundId?: string;

  @StringField({
    optional: true,
    maxLength: 255,
    description:
      'Only in dispute events: your id of the dispute, the same in all of its events. Without it, all disputes of a payment are one.',
    example: 'dp_1',
  })
  disputeId?: string;

  @MoneyField({ description: 'What was paid, refunded or disputed, in major units.', example: 19.99 })
  amount!: number;

  @StringField({ maxLength: 3, description: 'ISO 4217.', example: 'EUR' })
  currency!: string;

  @TimestampField({ description: 'When it happened.', example: '2026-11-21T12:00:00.000Z' })
  occurredAt!: string;
}
