import { ApiSchema, PickType } from '@nestjs/swagger';
import { DiscountDto } from '../../../catalogue/discounts/dto/discount.dto.js';
import { ProductDto } from '../../../catalogue/products/dto/product.dto.js';
import { ObjectListField, StringField } from '../../../http/validation/fields.js';
import { BuyerDto } from '../../../orders/buyer-profiles/dto/buyer-profile.dto.js';
import { OrderDto } from '../../../orders/order/dto/order.dto.js';
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
export class OrderHitDto extends PickType(OrderDto, [
  ...(['id', 'number', 'nickname', 'status', 'paymentStatus', 'deliveryStatus'] as const),
  ...(['total', 'currency', 'createdAt'] as const),
]) {}

@ApiSchema({ description: 'A player that a search has found.' })
export class PlayerHitDto extends PickType(BuyerDto, ['key', 'nickname', 'paidOrders', 'lastOrderAt', 'isBanned']) {}

@ApiSchema({ description: 'A product that a search has found.' })
export class ProductHitDto extends PickType(ProductDto, ['id', 'name', 'slug', 'isActive']) {}

@ApiSchema({ description: 'A discount that a search has found.' })
export class DiscountHitDto extends PickType(DiscountDto, ['id', 'code', 'type', 'value', 'isActive']) {}

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
      description: 'Players whose nickname begins with the text; null without `orders:read`.',
      example: [
        {
          ...{ key: '5d1f0c3b7a9e2468ace01357', nickname: 'Steve_42', paidOrders: 9 },
          ...{ lastOrderAt: '2026-11-21T12:00:00.000Z', isBanned: false },
        },
      ],
    },
    () => PlayerHitDto,
  )
  players!: PlayerHitDto[] | null;

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
