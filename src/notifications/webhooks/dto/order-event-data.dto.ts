import { ApiSchema } from '@nestjs/swagger';
import { ObjectField } from '../../../http/validation/fields.js';
import { OrderDto } from '../../../orders/order/dto/order.dto.js';

const ORDER_EXAMPLE = {
  id: '655f1c2ab1e4a9d3f0c81250',
  number: 1042,
  shopId: '655f1c2ab1e4a9d3f0c81234',
  origin: 'checkout',
  serverId: '655f1c2ab1e4a9d3f0c81260',
  nickname: 'Steve_42',
  status: 'completed',
  paymentStatus: 'paid',
  deliveryStatus: 'queued',
  items: [{ productId: '655f1c2ab1e4a9d3f0c81270', name: 'VIP rank', quantity: 1, unitPrice: 9.99, total: 9.99 }],
  subtotal: 9.99,
  discountCode: null,
  discountAmount: 0,
  total: 9.99,
  currency: 'EUR',
  createdAt: '2026-11-21T11:58:00.000Z',
  paidAt: '2026-11-21T12:00:00.000Z',
  expiresAt: '2026-11-21T12:28:00.000Z',
};

@ApiSchema({ description: 'The data of an event of an order.' })
export class OrderEventData {
  @ObjectField(
    {
      description: 'The order as its buyer sees it, when the event is queued for the webhook.',
      example: ORDER_EXAMPLE,
    },
    () => OrderDto,
  )
  order!: OrderDto;
}
