import { type Type } from '@nestjs/common';
import { ApiSchema } from '@nestjs/swagger';
import { REVIEW_DECISIONS, type ReviewDecision } from '../../../domain/payments/payment-review.js';
import { PROVIDER_PROBLEMS, type ProviderProblem } from '../../../domain/payments/provider-problems.js';
import {
  ChoiceField,
  IdField,
  IdListField,
  MoneyField,
  ObjectListField,
  StringField,
  TimestampField,
} from '../../../http/validation/fields.js';
import {
  type OrderEventType,
  type ShopEventDetails,
  type ShopEventType,
} from '../../../events/shop-events/shop-event-details.js';
import { ReviewReasonDto } from '../../../orders/staff/dto/staff-order.dto.js';
import { EntitlementEventData, TransferredEventData } from './entitlement-event-data.dto.js';
import { OrderEventData } from './order-event-data.dto.js';

const REASON_EXAMPLE = {
  code: 'amount',
  message: '999.00 EUR arrived, 9.99 EUR was due',
  amount: 999,
  currency: 'EUR',
};

@ApiSchema({ description: 'The data of `order.refunded`.' })
export class RefundedEventData extends OrderEventData {
  @MoneyField({ description: 'The amount of this refund.', example: 5 })
  refundedAmount!: number;
}

@ApiSchema({ description: 'The data of `order.withdrawal_requested`.' })
export class WithdrawalEventData extends OrderEventData {
  @IdListField({
    maxItems: 50,
    description:
      'The products that the buyer withdraws from. The order has the name that the buyer gave; an event names nobody.',
    example: ['655f1c2ab1e4a9d3f0c81270'],
  })
  productIds!: string[];
}

@ApiSchema({ description: 'The data of `order.review_needed`.' })
export class ReviewNeededEventData extends OrderEventData {
  @ObjectListField(
    { maxItems: 100, description: 'The reasons that are new.', example: [REASON_EXAMPLE] },
    () => ReviewReasonDto,
  )
  reasons!: ReviewReasonDto[];
}

@ApiSchema({ description: 'The data of `order.review_resolved`.' })
export class ReviewResolvedEventData extends OrderEventData {
  @ChoiceField({
    oneOf: REVIEW_DECISIONS,
    nullable: true,
    description: 'What staff decided; null when a payment or a refund has removed the reasons.',
    example: 'accept',
  })
  decision!: ReviewDecision | null;

  @StringField({
    nullable: true,
    maxLength: 300,
    description: 'Why staff decided so; null without a decision.',
    example: 'Seen in the bank',
  })
  reason!: string | null;
}

@ApiSchema({ description: 'The data of an event about one payment of an order.' })
export class PaymentEventData extends OrderEventData {
  @StringField({ maxLength: 40, description: 'The payment provider.', example: 'stripe' })
  provider!: string;

  @StringField({ maxLength: 255, description: 'The payment, as the provider names it.', example: 'pi_3Q1' })
  paymentId!: string;

  @MoneyField({
    description:
      'What was refunded, lost in a dispute, not refunded or not confirmed; of a dispute that opens or is won, the payment.',
    example: 9.99,
  })
  amount!: number;

  @StringField({ maxLength: 3, description: 'The ISO 4217 code of the amount.', example: 'EUR' })
  currency!: string;
}

@ApiSchema({ description: 'The data of `refund.failed`.' })
export class RefundFailedEventData extends PaymentEventData {
  @StringField({
    nullable: true,
    maxLength: 300,
    description: 'Why, in the word of the provider; null: no reason given.',
    example: 'insufficient_funds',
  })
  reason!: string | null;
}

@ApiSchema({
  description:
    'The data of `refund.unconfirmed`. Look at the payment at the provider before you refund it again: otherwise the buyer may get ' +
    'the money twice.',
})
export class RefundUnconfirmedEventData extends PaymentEventData {
  @StringField({
    nullable: true,
    maxLength: 255,
    description:
      'The refund, as the provider names it: it has been pending for 60 days. null: the provider never confirmed the request.',
    example: null,
  })
  refundId!: string | null;
}

@ApiSchema({ description: 'The data of `order.cancelled`.' })
export class CancelledEventData extends OrderEventData {
  @StringField({
    nullable: true,
    maxLength: 300,
    description: 'Why staff cancelled it.',
    example: 'Asked by the buyer',
  })
  reason!: string | null;
}

@ApiSchema({ description: 'The data of `order.nickname_changed`.' })
export class NicknameChangedEventData extends OrderEventData {
  @StringField({ maxLength: 32, anyCharacter: true, description: 'The nickname before.', example: 'Steve_42' })
  previousNickname!: string;

  @StringField({ maxLength: 32, anyCharacter: true, description: 'The nickname now.', example: 'Steve_43' })
  nickname!: string;

  @StringField({
    nullable: true,
    maxLength: 120,
    description: 'The item whose delivery alone has the new nickname; null: the whole order has it.',
    example: null,
  })
  item!: string | null;
}

@ApiSchema({ description: 'The data of an event of a payment provider. At most one in an hour is sent.' })
export class ProviderEventData {
  @IdField({ description: 'The configuration of the provider.', example: '655f1c2ab1e4a9d3f0c812b0' })
  id!: string;

  @StringField({ maxLength: 40, description: 'The payment provider.', example: 'stripe' })
  provider!: string;

  @ChoiceField({ oneOf: PROVIDER_PROBLEMS, description: 'What is wrong.', example: 'credentials_rejected' })
  problem!: ProviderProblem;

  @StringField({
    maxLength: 500,
    description:
      'Why it rejects the credentials or refused a payment, or why the last report was not accepted or applied.',
    example: 'Stripe rejected this secret key',
  })
  reason!: string;

  @TimestampField({ description: 'Since when.', example: '2026-11-21T12:00:00.000Z' })
  since!: string;
}

@ApiSchema({ description: 'The data of `discount.exhausted`.' })
export class DiscountEventData {
  @IdField({ description: 'The discount.', example: '655f1c2ab1e4a9d3f0c81280' })
  id!: string;

  @StringField({ maxLength: 40, description: 'Its code.', example: 'SUMMER10' })
  code!: string;
}

@ApiSchema({ description: 'The data of an event of a sale.' })
export class SaleEventData {
  @IdField({ description: 'The sale.', example: '655f1c2ab1e4a9d3f0c812c0' })
  id!: string;

  @StringField({ maxLength: 60, description: 'Its name.', example: 'Black Friday' })
  name!: string;

  @TimestampField({ description: 'When it begins.', example: '2026-11-27T00:00:00.000Z' })
  startsAt!: string;

  @TimestampField({ nullable: true, description: 'When it ends; null: no end.', example: '2026-11-30T00:00:00.000Z' })
  endsAt!: string | null;
}

@ApiSchema({ description: 'The data of an event of a game server.' })
export class ServerEventData {
  @IdField({ description: 'The game server.', example: '655f1c2ab1e4a9d3f0c81260' })
  id!: string;

  @StringField({ maxLength: 80, description: 'Its name.', example: 'Survival' })
  name!: string;
}

@ApiSchema({ description: 'The data of an event of the team or of an API key.' })
export class TeamEventData {
  @IdField({ description: 'The member, the invitation or the key.', example: '655f1c2ab1e4a9d3f0c812a0' })
  id!: string;

  @StringField({
    maxLength: 40,
    description: 'Who did it: `user:<id>`, `key:<id>` or `system`.',
    example: 'user:655f1c2ab1e4a9d3f0c81235',
  })
  principal!: string;
}

/** What the data of an event must have: the order, or the id of another subject and the details as they are. */
type EventFields<Event extends ShopEventType> = Event extends OrderEventType
  ? OrderEventData
  : { readonly id: string } & ShopEventDetails[Event];

/** The class of the data of each event. */
export const EVENT_DATA = {
  'order.created': OrderEventData,
  'order.paid': OrderEventData,
  'order.refunded': RefundedEventData,
  'order.surplus_refunded': PaymentEventData,
  'order.disputed': PaymentEventData,
  'order.dispute_won': PaymentEventData,
  'order.dispute_lost': PaymentEventData,
  'order.review_needed': ReviewNeededEventData,
  'order.review_resolved': ReviewResolvedEventData,
  'order.cancelled': CancelledEventData,
  'order.nickname_changed': NicknameChangedEventData,
  'order.withdrawal_requested': WithdrawalEventData,
  'order.delivered': OrderEventData,
  'order.expired': OrderEventData,
  'delivery.failed': OrderEventData,
  'delivery.uncertain': OrderEventData,
  'delivery.revoked': OrderEventData,
  'entitlement.started': EntitlementEventData,
  'entitlement.extended': EntitlementEventData,
  'entitlement.ended': EntitlementEventData,
  'entitlement.transferred': TransferredEventData,
  'refund.failed': RefundFailedEventData,
  'refund.unconfirmed': RefundUnconfirmedEventData,
  'payment.provider_failing': ProviderEventData,
  'payment.webhook_rejected': ProviderEventData,
  'discount.exhausted': DiscountEventData,
  'sale.started': SaleEventData,
  'sale.ended': SaleEventData,
  'server.offline': ServerEventData,
  'server.online': ServerEventData,
  'member.invited': TeamEventData,
  'member.joined': TeamEventData,
  'member.declined': TeamEventData,
  'member.role_changed': TeamEventData,
  'member.removed': TeamEventData,
  'member.left': TeamEventData,
  'invitation.revoked': TeamEventData,
  'ownership.transferred': TeamEventData,
  'api_key.created': TeamEventData,
  'api_key.updated': TeamEventData,
  'api_key.rotated': TeamEventData,
  'api_key.revoked': TeamEventData,
} as const satisfies { readonly [Event in ShopEventType]: Type<EventFields<Event>> };

export type EventData<Event extends ShopEventType = ShopEventType> = InstanceType<(typeof EVENT_DATA)[Event]>;
