import { ApiSchema, PickType } from '@nestjs/swagger';
import { ObjectListField, StringField, TimestampField } from '../../../http/validation/fields.js';
import { OrderItemDto } from '../../../orders/order/dto/order.dto.js';

@ApiSchema({ description: 'One product of a purchase.' })
export class PurchasedItemDto extends PickType(OrderItemDto, ['name', 'quantity']) {}

@ApiSchema({ description: 'A purchase, without its price and its buyer.' })
export class RecentPurchaseDto {
  @StringField({
    maxLength: 32,
    description: 'The player who receives the items; `somebody` for a buyer whom the shop has erased.',
    example: 'Steve_42',
  })
  nickname!: string;

  @TimestampField({ description: 'When it was paid.', example: '2026-11-21T12:00:00.000Z' })
  paidAt!: string;

  @ObjectListField(
    { maxItems: 50, description: 'What was bought.', example: [{ name: 'VIP rank', quantity: 1 }] },
    () => PurchasedItemDto,
  )
  items!: PurchasedItemDto[];
}
