import { ApiSchema } from '@nestjs/swagger';
import { IntegerField } from '../../../http/validation/fields.js';
import { MAX_IN_VIEW, type OrderCounts } from '../order-views.js';

const COUNT = { minimum: 0, maximum: MAX_IN_VIEW };

@ApiSchema({ description: `How many orders of a shop are in which states, each up to ${MAX_IN_VIEW}.` })
export class OrderCountsDto implements OrderCounts {
  @IntegerField({
    ...COUNT,
    description: 'Orders that need a person: a payment `needs_review`, or a delivery is `failed` or `uncertain`.',
    example: 3,
  })
  needsPerson!: number;

  @IntegerField({ ...COUNT, description: 'Orders with the payment status `needs_review`.', example: 1 })
  needsReview!: number;

  @IntegerField({ ...COUNT, description: 'Orders with the delivery status `failed`.', example: 2 })
  failed!: number;

  @IntegerField({ ...COUNT, description: 'Orders with the delivery status `queued`.', example: 12 })
  waits!: number;

  @IntegerField({ ...COUNT, description: 'Orders with the payment status `disputed`.', example: 0 })
  disputed!: number;

  @IntegerField({ ...COUNT, description: 'Open orders with the payment status `pending`.', example: 5 })
  unpaid!: number;
}
