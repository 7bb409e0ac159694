import { SortedPageQuery } from '../../../http/paging/sorted-page.query.dto.js';
import { ChoiceField, IdField } from '../../../http/validation/fields.js';
import { DELIVERY_KINDS, DELIVERY_STATES, type DeliveryKind, type DeliveryState } from '../delivery.types.js';

export class ListDeliveriesQuery extends SortedPageQuery {
  @IdField({
    optional: true,
    description: 'Only deliveries for this game server.',
    example: '655f1c2ab1e4a9d3f0c81260',
  })
  serverId?: string;

  @ChoiceField({ optional: true, oneOf: DELIVERY_STATES, description: 'Only those in this state.', example: 'failed' })
  state?: DeliveryState;

  @IdField({ optional: true, description: 'Only deliveries of this order.', example: '655f1c2ab1e4a9d3f0c81250' })
  orderId?: string;

  @ChoiceField({ optional: true, oneOf: DELIVERY_KINDS, description: 'Only those of this kind.', example: 'take_back' })
  kind?: DeliveryKind;
}
