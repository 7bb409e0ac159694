import { ApiSchema, PickType } from '@nestjs/swagger';
import { REVIEW_REASON_CODES } from '../../../domain/payments/payment-review.js';
import {
  BooleanField,
  ChoiceField,
  EmailField,
  MoneyField,
  MultiLineField,
  ObjectField,
  ObjectListField,
  StringField,
  TimestampField,
} from '../../../http/validation/fields.js';
import { DeliveryDto } from '../../../delivery/deliveries/dto/delivery.dto.js';
import { CONSENT_KINDS } from '../../../shops/consents/consent.types.js';
import { ConsentDto } from '../../../shops/consents/dto/consent.dto.js';
import { WithdrawalDto } from '../../withdrawals/dto/withdrawal.dto.js';
import { MAX_HISTORY } from '../../order/order.types.js';
import { PAYMENT_EVENT_TYPES } from '../../order/payment-event.types.js';
import { MAX_DECISIVE_EVENTS } from '../../settling/settlement-rules.js';
import { OrderDto } from '../../order/dto/order.dto.js';

/** The most deliveries that the details of an order contain. The list of deliveries has all of them. */
export const MAX_SHOWN_DELIVERIES = 100;

@ApiSchema({ description: 'An order as staff see it in lists.' })
export class StaffOrderDto extends OrderDto {
  @EmailField({
    nullable: true,
    description: "The buyer's address; null for plugin keys, which may not read it.",
    example: 'buyer@example.com',
  })
  email!: string | null;

  @MoneyField({ description: 'What was refunded of the `total`. What was paid too much is no part of it.', example: 0 })
  refundedTotal!: number;
}

@ApiSchema({ description: 'What the buyer of an order agreed to.' })
export class OrderConsentDto extends ConsentDto {
  @StringField({
    maxLength: 64,
    description: 'The hash of the wording, as `GET /shops/{shopId}/consent-text` has it.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  hash!: string;

  @TimestampField({ description: 'When the buyer agreed.', example: '2026-11-21T12:00:00.000Z' })
  at!: string;
}

@ApiSchema({ description: 'The withdrawal of a buyer from an order.' })
export class OrderWithdrawalDto extends PickType(WithdrawalDto, ['requestedAt', 'items']) {
  @StringField({
    nullable: true,
    maxLength: 120,
    description: 'The name that the buyer gave; null for plugin keys, and after an erasure.',
    example: 'Robin Example',
  })
  name!: string | null;
}

@ApiSchema({ description: 'Something that happened to an order.' })
export class OrderHistoryEntryDto {
  @TimestampField({ description: 'When it happened.', example: '2026-11-21T12:00:00.000Z' })
  at!: string;

  @StringField({
    maxLength: 64,
    description: 'Who did it: `buyer`, `system`, `user:<id>`, `key:<id>` or `provider:<name>`.',
    example: 'user:655f1c2ab1e4a9d3f0c81299',
  })
  actor!: string;

  @StringField({
    nullable: true,
    maxLength: 100,
    description:
      'The name of the person or API key as it is now; null for the others, and for an account that was closed.',
    example: 'Alex Example',
  })
  actorName!: string | null;

  @StringField({ maxLength: 64, description: 'What was done; `note`: staff wrote a note.', example: 'redelivered' })
  action!: string;

  @MultiLineField({
    nullable: true,
    maxLength: 1000,
    description: 'More about it, for example the reason that staff gave, or the text of a note; null without any.',
    example: 'The server had crashed',
  })
  detail!: string | null;
}

@ApiSchema({ description: 'A payment event that decides the payment state of an order.' })
export class OrderPaymentDto {
  @StringField({ maxLength: 32, description: 'Who reported it: a payment provider.', example: 'stripe' })
  provider!: string;

  @StringField({ maxLength: 255, description: "The provider's id of the event.", example: 'evt_1' })
  eventId!: string;

  @ChoiceField({ oneOf: PAYMENT_EVENT_TYPES, description: 'What happened.', example: 'payment.succeeded' })
  type!: string;

  @StringField({ maxLength: 255, description: "The provider's id of the payment.", example: 'pay_1' })
  paymentId!: string;

  @StringField({
    nullable: true,
    maxLength: 255,
    description: "The provider's id of the dispute; null for other events, and where the provider names none.",
    example: null,
  })
  disputeId!: string | null;

  @MoneyField({ description: 'The amount that was paid, refunded or disputed.', example: 8.99 })
  amount!: number;

  @StringField({ maxLength: 3, description: 'The ISO 4217 code of the amount.', example: 'EUR' })
  currency!: string;

  @TimestampField({ description: 'When it happened, as the provider says.', example: '2026-11-21T12:00:00.000Z' })
  occurredAt!: string;
}

@ApiSchema({ description: 'A payment that arrived for an order, and what became of its money.' })
export class ReceivedPaymentDto {
  @StringField({ maxLength: 32, description: 'The payment provider.', example: 'stripe' })
  provider!: string;

  @StringField({
    maxLength: 255,
    description: "The provider's id of the payment. A refund can name it.",
    example: 'pay_1',
  })
  paymentId!: string;

  @TimestampField({ description: 'When it arrived, as the provider says.', example: '2026-11-21T12:00:00.000Z' })
  receivedAt!: string;

  @MoneyField({ description: 'What arrived.', example: 8.99 })
  amount!: number;

  @StringField({ maxLength: 3, description: 'The ISO 4217 code of its amounts.', example: 'EUR' })
  currency!: string;

  @MoneyField({ description: 'What was refunded.', example: 0 })
  refunded!: number;

  @MoneyField({ description: 'What was lost in disputes.', example: 0 })
  chargedBack!: number;

  @BooleanField({ description: 'Whether a dispute of it is open.', example: false })
  disputed!: boolean;

  @MoneyField({
    description:
      'What of it is due to the buyer, because the order was paid twice, or too much, or staff rejected it: refund it.',
    example: 0,
  })
  surplus!: number;
}

@ApiSchema({ description: 'Why a person has to look at the payments of an order.' })
export class ReviewReasonDto {
  @ChoiceField({
    oneOf: REVIEW_REASON_CODES,
    description:
      '`amount`, `currency`, `fraud_warning` and `too_many_events` make an order `needs_review`. `paid_twice`: more arrived than ' +
      'was due, and can be refunded. `partial_loss`: a dispute was lost in part, and nothing was revoked. `base_missing` (the lower tier that it ' +
      'replaces was used by another order) and `tier_lower` (the player owns a higher tier by now) make it `needs_review`, too. `upgrade_base_lost`: ' +
      'the money of the lower tier went back after the upgrade was paid.',
    example: 'amount',
  })
  code!: string;

  @StringField({
    maxLength: 300,
    description: 'The reason, with the figures.',
    example: '9.99 EUR arrived, 8.99 EUR was due',
  })
  message!: string;

  @MoneyField({ description: 'What arrived, can be refunded, or was lost.', example: 9.99 })
  amount!: number;

  @StringField({ maxLength: 3, description: 'The ISO 4217 code of the amount.', example: 'EUR' })
  currency!: string;
}

@ApiSchema({ description: 'An order as staff see it, with everything that happened to it.' })
export class StaffOrderDetailsDto extends StaffOrderDto {
  @ObjectListField(
    { maxItems: CONSENT_KINDS.length, description: 'What its buyer agreed to.', example: [] },
    () => OrderConsentDto,
  )
  consents!: OrderConsentDto[];

  @ObjectField(
    { nullable: true, description: 'The withdrawal of its buyer; null without one.', example: null },
    () => OrderWithdrawalDto,
  )
  withdrawal!: OrderWithdrawalDto | null;

  @ObjectListField(
    {
      nullable: true,
      maxItems: MAX_HISTORY,
      description: `What happened to the order, oldest first: the latest ${MAX_HISTORY} entries. null for plugin keys.`,
      example: [{ at: '2026-11-21T12:00:00.000Z', actor: 'buyer', actorName: null, action: 'created', detail: null }],
    },
    () => OrderHistoryEntryDto,
  )
  history!: OrderHistoryEntryDto[] | null;

  @ObjectListField(
    {
      nullable: true,
      maxItems: MAX_DECISIVE_EVENTS,
      description: 'The payment events that decide the payment state. null for plugin keys.',
      example: [
        {
          provider: 'stripe',
          eventId: 'evt_1',
          type: 'payment.succeeded',
          paymentId: 'pay_1',
          disputeId: null,
          amount: 8.99,
          currency: 'EUR',
          occurredAt: '2026-11-21T12:00:00.000Z',
        },
      ],
    },
    () => OrderPaymentDto,
  )
  payments!: OrderPaymentDto[] | null;

  @ObjectListField(
    {
      nullable: true,
      maxItems: MAX_DECISIVE_EVENTS,
      description: 'The payments that arrived, oldest first, and what became of their money. null for plugin keys.',
      example: [
        {
          provider: 'stripe',
          paymentId: 'pay_1',
          receivedAt: '2026-11-21T12:00:00.000Z',
          amount: 8.99,
          currency: 'EUR',
          refunded: 0,
          chargedBack: 0,
          disputed: false,
          surplus: 0,
        },
      ],
    },
    () => ReceivedPaymentDto,
  )
  receivedPayments!: ReceivedPaymentDto[] | null;

  @ObjectListField(
    {
      nullable: true,
      maxItems: MAX_DECISIVE_EVENTS,
      description: 'Why a person has to look at its payments; empty when nothing is to do. null for plugin keys.',
      example: [],
    },
    () => ReviewReasonDto,
  )
  reviewReasons!: ReviewReasonDto[] | null;

  @ObjectListField(
    {
      maxItems: MAX_SHOWN_DELIVERIES,
      description: `What plugins have to run, newest first: the latest ${MAX_SHOWN_DELIVERIES}.`,
      example: [],
    },
    () => DeliveryDto,
  )
  deliveries!: DeliveryDto[];
}
