import { LimitField } from '../../../http/paging/limit.field.js';
import { ChoiceField } from '../../../http/validation/fields.js';
import { TOP_PERIODS, type TopBuyersRequest, type TopPeriod } from '../widget.types.js';

export const MAX_SHOWN = 20;
const USUALLY_SHOWN = 10;

/** How much of a widget to return. */
export class WidgetQuery {
  @LimitField({ maximum: MAX_SHOWN, usual: USUALLY_SHOWN })
  limit: number = USUALLY_SHOWN;
}

/** Which top buyers to return. */
export class TopBuyersQuery extends WidgetQuery implements TopBuyersRequest {
  @ChoiceField({
    optional: true,
    oneOf: TOP_PERIODS,
    description: "The current month in the shop's time zone, or all time.",
    default: 'month',
    example: 'month',
  })
  period: TopPeriod = 'month';
}
