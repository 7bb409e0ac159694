import { ApiSchema } from '@nestjs/swagger';
import {
  ChoiceField,
  IdField,
  IntegerField,
  MoneyField,
  ObjectListField,
  TextField,
  TimestampField,
} from '../../common/validation/fields.js';
import { DELIVERY_STATUSES, ORDER_STATUSES, PAYMENT_STATUSES } from '../order.types.js';

@ApiSchema({ description: 'One product of an order, with name and price as they were when it was ordered.' })
export class OrderItemDto {
  @IdField({ description: 'The product.', example: '655f1c2ab1e4a9d3f0c81270' })
  productId!: string;

  @TextField({ maxLength: 120, description: 'Its name when it was ordered.', example: 'VIP rank' })
  name!: string;

  @IntegerField({ minimum: 1, maximum: 1000, description: 'How many.', example: 1 })
  quantity!: number;

  @MoneyField({ description: 'Price of one.', example: 9.99 })
  unitPrice!: number;

  @MoneyField({ description: 'Price of all.', example: 9.99 })
  total!: number;
}

@ApiSchema({ description: 'An order, as its buyer sees it.' })
export class OrderDto {
  @IdField({ description: 'Identifier of the order.', example: '655f1c2ab1e4a9d3f0c81250' })
  id!: string;

  @IdField({ description: 'The shop.', example: '655f1c2ab1e4a9d3f0c81234' })
  shopId!: string;

  @IdField({ nullable: true, description: 'The server that it is for.', example: '655f1c2ab1e4a9d3f0c81260' })
  serverId!: string | null;

  @TextField({ maxLength: 32, description: 'Who gets the goods.', example: 'Steve_42' })
  nickname!: string;

  @ChoiceField({ oneOf: ORDER_STATUSES, description: 'The order itself.', example: 'open' })
  status!: string;

  @ChoiceField({ oneOf: PAYMENT_STATUSES, description: 'The payment.', example: 'pending' })
  paymentStatus!: string;

  @ChoiceField({ oneOf: DELIVERY_STATUSES, description: 'The goods.', example: 'none' })
  deliveryStatus!: string;

  @ObjectListField(
    {
      maxItems: 50,
      description: 'What is bought.',
      example: [{ productId: '655f1c2ab1e4a9d3f0c81270', name: 'VIP rank', quantity: 1, unitPrice: 9.99, total: 9.99 }],
    },
    () => OrderItemDto,
  )
  items!: OrderItemDto[];

  @MoneyField({ description: 'Sum of the items.', example: 9.99 })
  subtotal!: number;

  @TextField({ nullable: true, maxLength: 40, description: 'The discount code that was used.', example: 'SUMMER10' })
  discountCode!: string | null;

  @MoneyField({ description: 'What the code took off.', example: 1 })
  discountAmount!: number;

  @MoneyField({ description: 'What is to pay.', example: 8.99 })
  total!: number;

  @TextField({ maxLength: 3, description: 'ISO 4217 code.', example: 'EUR' })
  currency!: string;

  @TimestampField({ description: 'When it was ordered.', example: '2026-11-21T12:00:00.000Z' })
  createdAt!: string;

  @TimestampField({ nullable: true, description: 'When it was paid.', example: null })
  paidAt!: string | null;

  @TimestampField({ description: 'Until when an unpaid order waits.', example: '2026-11-21T13:00:00.000Z' })
  expiresAt!: string;
}

/** The order, and this once the token with which its buyer may read it. */
@ApiSchema({ description: 'The order, and this once the token with which its buyer may read it.' })
export class CreatedOrderDto extends OrderDto {
  @TextField({
    maxLength: 64,
    description: 'For `X-Order-Token`. It is shown this once.',
    example: 'sho_an-opaque-text-of-43-characters',
  })
  accessToken!: string;
}
