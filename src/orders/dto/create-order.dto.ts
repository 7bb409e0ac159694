import { ApiSchema } from '@nestjs/swagger';
import { EmailField, IdField, IntegerField, ObjectListField, TextField } from '../../common/validation/fields.js';

@ApiSchema({ description: 'One product of a checkout, and how many of it.' })
export class OrderLineDto {
  @IdField({ description: 'The product.', example: '655f1c2ab1e4a9d3f0c81270' })
  productId!: string;

  @IntegerField({ minimum: 1, maximum: 1000, description: 'How many.', example: 1 })
  quantity!: number;
}

@ApiSchema({ description: "A buyer's checkout; the server works out the prices." })
export class CreateOrderDto {
  @ObjectListField(
    {
      minItems: 1,
      maxItems: 50,
      description: 'What to buy; each product once.',
      example: [{ productId: '655f1c2ab1e4a9d3f0c81270', quantity: 1 }],
    },
    () => OrderLineDto,
  )
  items!: OrderLineDto[];

  @IdField({ description: 'The server that it is for.', example: '655f1c2ab1e4a9d3f0c81260' })
  serverId!: string;

  @TextField({ maxLength: 32, description: "Who gets the goods, by the shop's rule.", example: 'Steve_42' })
  nickname!: string;

  @EmailField({ description: 'For the receipt and for codes.', example: 'buyer@example.com' })
  email!: string;

  @TextField({ optional: true, maxLength: 40, description: 'A discount code.', example: 'SUMMER10' })
  discountCode?: string;
}
