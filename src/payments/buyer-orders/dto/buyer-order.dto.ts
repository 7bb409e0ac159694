import { ApiSchema, OmitType, PickType } from '@nestjs/swagger';
import { ServerDto } from '../../../catalogue/servers/dto/server.dto.js';
import {
  ChoiceField,
  IdListField,
  MoneyField,
  ObjectField,
  ObjectListField,
  StringField,
  TimestampField,
} from '../../../http/validation/fields.js';
import { OrderDto, OrderItemDto } from '../../../orders/order/dto/order.dto.js';
import {
  DELIVERY_STATUSES,
  type DeliveryStatus,
  REVERSAL_KINDS,
  type Reversal,
} from '../../../orders/order/order.types.js';
import { CONSENT_KINDS } from '../../../shops/consents/consent.types.js';
import { ConsentDto } from '../../../shops/consents/dto/consent.dto.js';
import { SellerDto } from '../../../shops/shops/dto/legal.dto.js';
import { LINE_REASONS, type LineReason } from '../line-rules.js';
import { PAYMENT_FAILURES, type PaymentFailure } from '../payment-summary.js';

@ApiSchema({ description: 'One product of an order, and how far its delivery has come.' })
export class BuyerOrderItemDto extends OrderItemDto {
  @ChoiceField({
    oneOf: DELIVERY_STATUSES,
    description: 'The state of its delivery, as `deliveryStatus` of the order has them.',
    example: 'queued',
  })
  state!: DeliveryStatus;

  @ChoiceField({
    nullable: true,
    oneOf: LINE_REASONS,
    description:
      'Why it is in this state, or what it waits for; null where the state says everything. `awaits_payment`, `order_ended`: nothing is to be ' +
      'delivered. `payment_in_doubt`: the payment is disputed or reviewed. `server_silent`: the game server does not report. ' +
      '`player_needed`: the player has to be online. `no_report`: the game server did not report the last attempt. `server_call`: the next ' +
      'request of the game server gets it. `server_error`: the game server could not run it, or was deleted. `money_returned`: the buyer has the money.',
    example: 'player_needed',
  })
  reason!: LineReason | null;

  @TimestampField({ nullable: true, description: 'When it was delivered last; null: never.', example: null })
  deliveredAt!: string | null;

  @TimestampField({
    nullable: true,
    description:
      'While it waits for the game server: when the server sent its last request. The player was not online then if the `reason` is ' +
      '`player_needed`. null otherwise, and before the first request.',
    example: '2026-11-21T12:00:00.000Z',
  })
  lastCallAt!: string | null;
}

@ApiSchema({ description: 'The game server of an order.' })
export class BuyerServerDto extends PickType(ServerDto, ['name', 'address']) {}

@ApiSchema({ description: 'How an order is paid. `paymentStatus` of the order is its state.' })
export class OrderPaymentSummaryDto {
  @StringField({
    nullable: true,
    maxLength: 40,
    description:
      'The payment method, for buyers; null for a payment that the shop received without a payment provider.',
    example: 'Stripe',
  })
  title!: string | null;

  @ChoiceField({
    nullable: true,
    oneOf: PAYMENT_FAILURES,
    description: 'How the latest attempt failed; null unless the order is `failed`.',
    example: null,
  })
  failure!: PaymentFailure | null;

  @TimestampField({
    nullable: true,
    description: 'Until when it is known how a payment on its way ends; null when none is.',
    example: null,
  })
  until!: string | null;
}

@ApiSchema({ description: 'Money of an order that went back to its buyer.' })
export class BuyerRefundDto {
  @ChoiceField({
    oneOf: REVERSAL_KINDS,
    description: '`refund`: the shop refunded it. `chargeback`: the buyer got it back through a dispute.',
    example: 'refund',
  })
  kind!: Reversal['kind'];

  @MoneyField({ description: 'The amount.', example: 5 })
  amount!: number;

  @TimestampField({ description: 'When it went back.', example: '2026-11-22T12:00:00.000Z' })
  at!: string;
}

@ApiSchema({ description: 'What a buyer agreed to at the checkout.' })
export class BuyerConsentDto extends ConsentDto {
  @TimestampField({ description: 'When the buyer agreed.', example: '2026-11-21T12:00:00.000Z' })
  at!: string;
}

@ApiSchema({ description: 'What a buyer can withdraw from, and has withdrawn from.' })
export class BuyerWithdrawalDto {
  @TimestampField({
    nullable: true,
    description:
      'Until when the buyer can withdraw; null when that is not possible: nothing is paid, the money is back, the time is over, a withdrawal was sent, or the buyer has agreed to ' +
      'lose the right by the delivery.',
    example: null,
  })
  until!: string | null;

  @IdListField({ maxItems: 50, description: 'The products from which the buyer can withdraw now.', example: [] })
  items!: string[];

  @TimestampField({ nullable: true, description: 'When the buyer withdrew; null: not.', example: null })
  requestedAt!: string | null;

  @IdListField({ maxItems: 50, description: 'The products from which the buyer withdrew.', example: [] })
  requestedItems!: string[];
}

const SELLER = {
  sellerName: 'Sky Realm GmbH',
  address: 'Hauptstr. 1\n10115 Berlin\nGermany',
  vatId: 'DE123456789',
  taxNote: 'Prices include VAT.',
  disclaimer: null,
};

@ApiSchema({ description: 'An order with everything that its buyer may see of it.' })
export class BuyerOrderDto extends OmitType(OrderDto, ['items']) {
  @ObjectListField(
    {
      maxItems: 50,
      description: 'What the buyer ordered, and how far it has come.',
      example: [
        {
          ...{ productId: '655f1c2ab1e4a9d3f0c81270', name: 'VIP rank', quantity: 1, unitPrice: 9.99, total: 9.99 },
          ...{ state: 'none', reason: 'awaits_payment', deliveredAt: null, lastCallAt: null },
        },
      ],
    },
    () => BuyerOrderItemDto,
  )
  items!: BuyerOrderItemDto[];

  @StringField({
    nullable: true,
    maxLength: 260,
    description: 'Where emails about the order go, without what a stranger could use; null: nowhere.',
    example: 'b***@example.com',
  })
  emailMasked!: string | null;

  @ObjectField(
    {
      nullable: true,
      description: 'The game server, and where players connect; null: any, or one that the shop has deleted or hides.',
      example: { name: 'Survival', address: 'play.sky-realm.example' },
    },
    () => BuyerServerDto,
  )
  server!: BuyerServerDto | null;

  @ObjectField(
    { nullable: true, description: 'How it is paid; null before the first attempt.', example: null },
    () => OrderPaymentSummaryDto,
  )
  payment!: OrderPaymentSummaryDto | null;

  @ObjectListField(
    { maxItems: 100, description: 'What went back to the buyer of the total, oldest first.', example: [] },
    () => BuyerRefundDto,
  )
  refunds!: BuyerRefundDto[];

  @ObjectField({ description: 'Who sells, as the shop says it now.', example: SELLER }, () => SellerDto)
  seller!: SellerDto;

  @ObjectListField(
    { maxItems: CONSENT_KINDS.length, description: 'What the buyer agreed to.', example: [] },
    () => BuyerConsentDto,
  )
  consents!: BuyerConsentDto[];

  @ObjectField(
    {
      description: 'The right of withdrawal of the buyer.',
      example: { until: null, items: [], requestedAt: null, requestedItems: [] },
    },
    () => BuyerWithdrawalDto,
  )
  withdrawal!: BuyerWithdrawalDto;
}
