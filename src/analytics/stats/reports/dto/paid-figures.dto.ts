import { IntegerField, NumberField } from '../../../../http/validation/fields.js';

const AMOUNT = { minimum: -1e15, maximum: 1e15, maxDecimalPlaces: 4 } as const;
export const COUNT = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const;

export const PAID_FIGURES_EXAMPLE = {
  grossRevenue: 49.98,
  refunds: 0,
  chargebacks: 0,
  netRevenue: 49.98,
  paidOrders: 2,
  newBuyers: 1,
  discountTotal: 0,
  itemsSold: 2,
};

/** The figures of paid orders that add up. Each means what the figure of the same name means in a comparison. */
export class PaidFiguresDto {
  @NumberField({ ...AMOUNT, description: 'What buyers paid (after discounts).', example: 49.98 })
  grossRevenue!: number;

  @NumberField({ ...AMOUNT, description: 'What was refunded.', example: 0 })
  refunds!: number;

  @NumberField({ ...AMOUNT, description: 'What the shop lost in disputes.', example: 0 })
  chargebacks!: number;

  @NumberField({ ...AMOUNT, description: '`grossRevenue` minus `refunds` and `chargebacks`.', example: 49.98 })
  netRevenue!: number;

  @IntegerField({ ...COUNT, description: 'Orders paid.', example: 2 })
  paidOrders!: number;

  @IntegerField({ ...COUNT, description: 'Buyers whose earliest payment in this shop is in the period.', example: 1 })
  newBuyers!: number;

  @NumberField({ ...AMOUNT, description: 'What discounts took off the paid orders.', example: 0 })
  discountTotal!: number;

  @IntegerField({ ...COUNT, description: 'The number of items in the paid orders, by their quantities.', example: 2 })
  itemsSold!: number;
}
