import { ApiSchema } from '@nestjs/swagger';
import { DISCOUNT_TYPES } from '../../../catalogue/discounts/discount.types.js';
import {
  BooleanField,
  ChoiceField,
  IdField,
  IntegerField,
  MoneyField,
  NumberField,
  ObjectListField,
  StringField,
  TimestampField,
} from '../../../http/validation/fields.js';
import {
  DELIVERY_STATUSES,
  MAX_ORDER_NUMBER,
  ORDER_STATUSES,
  PAYMENT_STATUSES,
} from '../../../orders/order/order.types.js';
import { MAX_HITS } from '../search.service.js';

export class SearchQuery {
  @StringField({
    maxLength: 255,
    description:
      'What people have in hand: a number, a nickname, an address, a name, a code. It is plain text, not a pattern.',
    example: 'Steve_42',
  })
  q!: string;
}

@ApiSchema({ description: 'An order that a search has found.' })
export class OrderHitDto {
  @IdField({ description: 'The order.', example: '655f1c2ab1e4a9d3f0c81250' })
  id!: string;

  @IntegerField({ minimum: 1, maximum: MAX_ORDER_NUMBER, description: 'Its number, for people.', example: 1042 })
  number!: number;

  @StringField({ maxLength: 32, description: 'The player.', example: 'Steve_42' })
  nickname!: string;

  @ChoiceField({ oneOf: ORDER_STATUSES, description: 'The state of the order.', example: 'completed' })
  status!: string;

  @ChoiceField({ oneOf: PAYMENT_STATUSES, description: 'The state of the payment.', example: 'paid' })
  paymentStatus!: string;

  @ChoiceField({ oneOf: DELIVERY_STATUSES, description: 'The state of the delivery.', example: 'delivered' })
  deliveryStatus!: string;

  @MoneyField({ description: 'What it costs.', example: 9.99 })
  total!: number;

  @StringField({ maxLength: 3, description: 'The currency of the order (ISO 4217).', example: 'EUR' })
  currency!: string;

  @TimestampField({ description: 'When it was placed.', example: '2026-11-21T12:00:00.000Z' })
  createdAt!: string;
}

@ApiSchema({ description: 'A product that a search has found.' })
export class ProductHitDto {
  @IdField({ description: 'The product.', example: '655f1c2ab1e4a9d3f0c81270' })
  id!: string;

  @StringField({ maxLength: 120, description: 'Its name.', example: 'VIP rank' })
  name!: string;

  @StringField({ nullable: true, maxLength: 60, description: 'Its slug; null: it has none.', example: 'vip' })
  slug!: string | null;

  @BooleanField({ description: 'Whether it is for sale.', example: true })
  isActive!: boolean;
}

@ApiSchema({ description: 'A discount that a search has found.' })
export class DiscountHitDto {
  @IdField({ description: 'The discount.', example: '655f1c2ab1e4a9d3f0c81280' })
  id!: string;

  @StringField({ maxLength: 40, description: 'Its code.', example: 'SUMMER10' })
  code!: string;

  @ChoiceField({ oneOf: DISCOUNT_TYPES, description: 'How it reduces an order.', example: 'percent' })
  type!: string;

  @NumberField({
    ...{ minimum: 0, maximum: 1_000_000_000, maxDecimalPlaces: 3 },
    description: 'A percentage, or an amount.',
    example: 10,
  })
  value!: number;

  @BooleanField({ description: 'Whether it is switched on.', example: true })
  isActive!: boolean;
}

@ApiSchema({ description: 'What a search has found.' })
export class SearchHitsDto {
  @ObjectListField(
    {
      nullable: true,
      maxItems: MAX_HITS,
      description: 'Orders; null without `orders:read`.',
      example: [
        {
          ...{ id: '655f1c2ab1e4a9d3f0c81250', number: 1042, nickname: 'Steve_42' },
          ...{ status: 'completed', paymentStatus: 'paid', deliveryStatus: 'delivered' },
          ...{ total: 9.99, currency: 'EUR', createdAt: '2026-11-21T12:00:00.000Z' },
        },
      ],
    },
    () => OrderHitDto,
  )
  orders!: OrderHitDto[] | null;

  @ObjectListField(
    {
      nullable: true,
      maxItems: MAX_HITS,
      description: 'Products; null without `products:read`.',
      example: [{ id: '655f1c2ab1e4a9d3f0c81270', name: 'VIP rank', slug: 'vip', isActive: true }],
    },
    () => ProductHitDto,
  )
  products!: ProductHitDto[] | null;

  @ObjectListField(
    {
      nullable: true,
      maxItems: MAX_HITS,
      description: 'Discount codes; null without `discounts:read`.',
      example: [{ id: '655f1c2ab1e4a9d3f0c81280', code: 'SUMMER10', type: 'percent', value: 10, isActive: true }],
    },
    () => DiscountHitDto,
  )
  discounts!: DiscountHitDto[] | null;
}
