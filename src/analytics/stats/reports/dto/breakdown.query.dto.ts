import { PickType } from '@nestjs/swagger';
import { LimitField } from '../../../../http/paging/limit.field.js';
import { ChoiceField } from '../../../../http/validation/fields.js';
import { type Breakdown, BREAKDOWNS } from '../../rollups/breakdown-rules.js';
import { ComparisonQuery } from './comparison.query.dto.js';

export const MAX_ROWS = 100;
const USUAL_ROWS = 20;

/** Which sales to split, and by what. */
export class BreakdownQuery extends PickType(ComparisonQuery, ['period', 'from', 'to', 'timezone'] as const) {
  @ChoiceField({
    oneOf: BREAKDOWNS,
    description:
      'What to split the sales by. `discount`: the orders with a discount code, by code. `paymentMethod`: the payment ' +
      'provider that took the money.',
    example: 'product',
  })
  by!: Breakdown;

  @LimitField({ maximum: MAX_ROWS, usual: USUAL_ROWS })
  limit: number = USUAL_ROWS;
}
