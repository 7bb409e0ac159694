import { SortedPageQuery } from '../../../http/paging/sorted-page.query.dto.js';
import { ChoiceField } from '../../../http/validation/fields.js';
import { SALE_STATES, type SaleState } from '../sale.types.js';

export class ListSalesQuery extends SortedPageQuery {
  @ChoiceField({ optional: true, oneOf: SALE_STATES, description: 'Only sales in this state.', example: 'running' })
  state?: SaleState;
}
