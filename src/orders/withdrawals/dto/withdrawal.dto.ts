import { ApiSchema } from '@nestjs/swagger';
import { IdField, IdListField, StringField, TimestampField } from '../../../http/validation/fields.js';

const PRODUCTS = { maxItems: 50, example: ['655f1c2ab1e4a9d3f0c81270'] };

@ApiSchema({ description: "A buyer's statement of withdrawal from an order." })
export class WithdrawDto {
  @StringField({
    maxLength: 120,
    description: 'The name of the buyer, as it confirms the statement.',
    example: 'Robin Example',
  })
  name!: string;

  @IdListField({
    ...PRODUCTS,
    optional: true,
    minItems: 1,
    description: 'The products to withdraw from; absent: all from which it is possible.',
  })
  items?: string[];
}

@ApiSchema({ description: 'The withdrawal that was recorded. The buyer gets it by email.' })
export class WithdrawalDto {
  @IdField({ description: 'The order.', example: '655f1c2ab1e4a9d3f0c81250' })
  orderId!: string;

  @TimestampField({ description: 'When the statement arrived.', example: '2026-11-21T12:00:00.000Z' })
  requestedAt!: string;

  @IdListField({ ...PRODUCTS, description: 'The products that the buyer withdraws from.' })
  items!: string[];
}
