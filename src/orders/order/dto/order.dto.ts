import { ApiSchema } from '@nestjs/swagger';
import {
  ChoiceField,
  IdField,
  IntegerField,
  MoneyField,
  ObjectListField,
  StringField,
  TimestampField,
} from '../../../http/validation/fields.js';
import {
  DELIVERY_STATUSES,
  MAX_ORDER_NUMBER,
  ORDER_ORIGINS,
  ORDER_STATUSES,
  PAYMENT_STATUSES,
} from '../order.types.js';

@ApiSchema({ description: 'One product of an order, with its name and price at the time of the order.' })
export class OrderItemDto {
  @IdField({ description: 'The product.', example: '655f1c2ab1e4a9d3f0c81270' })
  productId!: string;

  @StringField({
    maxLength: 120,
    description: 'The name of the product at the time of the order.',
    example: 'VIP rank',
  })
  name!: string;

  @IntegerField({ minimum: 1, maximum: 1000, description: 'The quantity.', example: 1 })
  quantity!: number;

  @MoneyField({ description: 'The price of one unit.', example: 9.99 })
  unitPrice!: number;

  @MoneyField({ description: 'The price of all units.', example: 9.99 })
  total!: number;
}

@ApiSchema({ description: 'An order as its buyer sees it.' })
export class OrderDto {
  @IdField({ description: 'The order.', example: '655f1c2ab1e4a9d3f0c81250' })
  id!: string;

  @IntegerField({
    minimum: 1,
    maximum: MAX_ORDER_NUMBER,
    description:
      'The number of the order, for people: unique in its shop, and with gaps. Emails and pages write it as `#1042`.',
    example: 1042,
  })
  number!: number;

  @IdField({ description: 'The shop.', example: '655f1c2ab1e4a9d3f0c81234' })
  shopId!: string;

  @ChoiceField({
    oneOf: ORDER_ORIGINS,
    description:
      'How it came about. `checkout`: its buyer placed it. Staff place the others: `grant` gives something away, `paid_outside` was paid ' +
      'without a payment provider, `rehearsal` is no sale, and only shows what happens after one.',
    example: 'checkout',
  })
  origin!: string;

  @IdField({
    nullable: true,
    description: 'The game server that the order is for.',
    example: '655f1c2ab1e4a9d3f0c81260',
  })
  serverId!: string | null;

  @StringField({ maxLength: 32, description: 'The player who receives the items.', example: 'Steve_42' })
  nickname!: string;

  @ChoiceField({ oneOf: ORDER_STATUSES, description: 'The state of the order.', example: 'open' })
  status!: string;

  @ChoiceField({ oneOf: PAYMENT_STATUSES, description: 'The state of the payment.', example: 'pending' })
  paymentStatus!: string;

  @ChoiceField({
    oneOf: DELIVERY_STATUSES,
    description:
      'The state of the delivery. `none`: nothing is to be delivered yet. `held`: the payment is disputed or needs a review, and ' +
      'nothing is delivered until that is decided. `queued`: it waits for the game server, also after a lease that ended without a report. `leased`: it has begun. `handed_over`: the game server has it and never confirms; it counts as delivered. `uncertain`: it was sent, and staff check what became of it. `failed`: staff must check it. `revoked`: the buyer got ' +
      'the money back; what had been delivered was removed again, and the rest is never delivered.',
    example: 'none',
  })
  deliveryStatus!: string;

  @ObjectListField(
    {
      maxItems: 50,
      description: 'What the buyer ordered.',
      example: [{ productId: '655f1c2ab1e4a9d3f0c81270', name: 'VIP rank', quantity: 1, unitPrice: 9.99, total: 9.99 }],
    },
    () => OrderItemDto,
  )
  items!: OrderItemDto[];

  @MoneyField({ description: 'The sum of the items.', example: 9.99 })
  subtotal!: number;

  @StringField({ nullable: true, maxLength: 40, description: 'The discount code that was used.', example: 'SUMMER10' })
  discountCode!: string | null;

  @MoneyField({ description: 'The amount that the code takes off.', example: 1 })
  discountAmount!: number;

  @MoneyField({ description: 'The amount to pay; 0 for a grant and a rehearsal.', example: 8.99 })
  total!: number;

  @StringField({ maxLength: 3, description: 'The ISO 4217 code of all amounts.', example: 'EUR' })
  currency!: string;

  @TimestampField({ description: 'When the order was created.', example: '2026-11-21T12:00:00.000Z' })
  createdAt!: string;

  @TimestampField({
    nullable: true,
    description: 'When the order was paid; null until then, and for a grant and a rehearsal.',
    example: null,
  })
  paidAt!: string | null;

  @TimestampField({ description: 'When the order expires if it is not paid.', example: '2026-11-21T13:00:00.000Z' })
  expiresAt!: string;
}
