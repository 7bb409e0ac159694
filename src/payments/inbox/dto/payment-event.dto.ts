import { ApiSchema } from '@nestjs/swagger';
import { PageQuery } from '../../../http/paging/page.query.dto.js';
import {
  ChoiceField,
  IdField,
  IntegerField,
  MoneyField,
  ObjectField,
  StringField,
  TimestampField,
} from '../../../http/validation/fields.js';
import { PAYMENT_EVENT_TYPES, type PaymentEventType } from '../../../orders/order/payment-event.types.js';
import { FAILURES, type Failure, INBOX_STATES, type InboxState } from '../inbox.types.js';
import { PROVIDER_NAMES } from '../../providers/provider-registry.js';

export class ListPaymentEventsQuery extends PageQuery {
  @ChoiceField({ optional: true, oneOf: INBOX_STATES, description: 'Only those in this state.', example: 'failed' })
  state?: InboxState;

  @IdField({ optional: true, description: 'Only events of this order.', example: '655f1c2ab1e4a9d3f0c81250' })
  orderId?: string;
}

@ApiSchema({ description: 'The payment that an event reports.' })
export class EventPaymentDto {
  @ChoiceField({ oneOf: PAYMENT_EVENT_TYPES, description: 'What happened.', example: 'payment.succeeded' })
  type!: PaymentEventType;

  @StringField({ maxLength: 255, description: "The provider's id of the payment.", example: 'pay_1' })
  paymentId!: string;

  @StringField({
    nullable: true,
    maxLength: 255,
    description: "The provider's id of the dispute; null for other events, and where the provider names none.",
    example: null,
  })
  disputeId!: string | null;

  @MoneyField({ description: 'What was paid, refunded or disputed.', example: 19.99 })
  amount!: number;

  @StringField({ maxLength: 3, description: 'ISO 4217.', example: 'EUR' })
  currency!: string;

  @TimestampField({ description: 'When it happened, as the provider says.', example: '2026-11-21T12:00:00.000Z' })
  occurredAt!: string;
}

@ApiSchema({ description: 'An event of a payment provider, and its state.' })
export class PaymentEventDto {
  @IdField({ description: 'The event.', example: '655f1c2ab1e4a9d3f0c812b0' })
  id!: string;

  @ChoiceField({ oneOf: PROVIDER_NAMES, description: 'The payment provider.', example: 'custom' })
  provider!: string;

  @StringField({
    maxLength: 255,
    description: "The provider's id of the event.",
    example: 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W',
  })
  eventId!: string;

  @StringField({
    maxLength: 255,
    description: "The provider's name of the kind of event.",
    example: 'payment.succeeded',
  })
  kind!: string;

  @ChoiceField({
    oneOf: INBOX_STATES,
    description:
      '`processed`: applied to its order. `received`: verified and stored; it waits for the event that names its order. ' +
      '`ignored`: changes nothing, because of its kind or because it is about nothing of the shop. `failed`: could not be applied. `rejected`: a request without a valid ' +
      'signature, or with a body that cannot be read; the list has one entry for those of a minute, with the latest problem.',
    example: 'processed',
  })
  state!: InboxState;

  @ChoiceField({ nullable: true, oneOf: FAILURES, description: 'Why it failed or was rejected.', example: null })
  failure!: Failure | null;

  @StringField({
    nullable: true,
    maxLength: 500,
    description:
      'Why the event was ignored, what was wrong with a rejected request, or why a person has to look at the order because of ' +
      'it: "999.00 EUR arrived, 9.99 EUR was due".',
    example: null,
  })
  problem!: string | null;

  @IntegerField({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'How many times the service attempted to apply it; of `rejected`, how many requests were rejected.',
    example: 1,
  })
  attempts!: number;

  @IdField({ nullable: true, description: 'Its order, if it is known.', example: '655f1c2ab1e4a9d3f0c81250' })
  orderId!: string | null;

  @ObjectField(
    {
      nullable: true,
      description: 'What it says about a payment; null for kinds that change nothing.',
      example: {
        type: 'payment.succeeded',
        paymentId: 'pay_1',
        disputeId: null,
        amount: 19.99,
        currency: 'EUR',
        occurredAt: '2026-11-21T12:00:00.000Z',
      },
    },
    () => EventPaymentDto,
  )
  payment!: EventPaymentDto | null;

  @TimestampField({ description: 'When it arrived.', example: '2026-11-21T12:00:01.000Z' })
  receivedAt!: string;

  @TimestampField({
    nullable: true,
    description: 'When it reached its state; null while it waits.',
    example: '2026-11-21T12:00:01.000Z',
  })
  settledAt!: string | null;
}
