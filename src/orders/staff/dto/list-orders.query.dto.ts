import { SearchField } from '../../../http/paging/search.field.js';
import { SortedPageQuery } from '../../../http/paging/sorted-page.query.dto.js';
import { TIME_POSITION_BYTES } from '../../../lib/paging/time-position.js';
import {
  ChoiceField,
  CodeField,
  EmailField,
  IdField,
  InstantField,
  QueryIntegerField,
  StringField,
} from '../../../http/validation/fields.js';
import { type Moment } from '../../../lib/time/instant.js';
import {
  DELIVERY_STATUSES,
  type DeliveryStatus,
  MAX_ORDER_NUMBER,
  ORDER_STATUSES,
  type OrderStatus,
  PAYMENT_STATUSES,
  type PaymentStatus,
  STAFF_ORIGINS,
  type StaffOrigin,
} from '../../order/order.types.js';

export class ListOrdersQuery extends SortedPageQuery {
  @SearchField(
    'the `number` (`1042` or `#1042`), the `id`, the email address, the whole id of a payment, the discount code, or the beginning of the nickname (of the first 20 ' +
      'players in alphabetical order). A plugin key finds nothing by an address or a payment.',
    'Steve_42',
  )
  q?: string;

  @QueryIntegerField({
    optional: true,
    minimum: 1,
    maximum: MAX_ORDER_NUMBER,
    description: 'Only the order with this `number`.',
    example: 1042,
  })
  number?: number;

  @ChoiceField({ optional: true, oneOf: ORDER_STATUSES, description: 'Only orders in this state.', example: 'open' })
  status?: OrderStatus;

  @ChoiceField({
    optional: true,
    oneOf: PAYMENT_STATUSES,
    description: 'Only orders with this state of the payment.',
    example: 'needs_review',
  })
  paymentStatus?: PaymentStatus;

  @ChoiceField({
    optional: true,
    oneOf: DELIVERY_STATUSES,
    description:
      'Only orders with this state of the delivery. `leased` also finds orders whose leases are over: these are returned as `queued`.',
    example: 'failed',
  })
  deliveryStatus?: DeliveryStatus;

  @ChoiceField({
    optional: true,
    oneOf: STAFF_ORIGINS,
    description: 'Only orders that staff placed, of this kind. All others come from a checkout.',
    example: 'grant',
  })
  origin?: StaffOrigin;

  @StringField({
    optional: true,
    maxLength: 32,
    description: 'Only orders for this player. Upper and lower case are equal.',
    example: 'Steve_42',
  })
  nickname?: string;

  @EmailField({
    optional: true,
    description: 'Only orders of this mailbox, also with other spellings of its address. Not for plugin keys.',
    example: 'buyer@example.com',
  })
  email?: string;

  @IdField({ optional: true, description: 'Only orders with this product.', example: '655f1c2ab1e4a9d3f0c81270' })
  productId?: string;

  @IdField({ optional: true, description: 'Only orders for this game server.', example: '655f1c2ab1e4a9d3f0c81260' })
  serverId?: string;

  @StringField({
    optional: true,
    maxLength: 255,
    description: "Only orders with this payment: the provider's id of it. Not for plugin keys.",
    example: 'pi_3PqXyz',
  })
  paymentId?: string;

  @StringField({
    optional: true,
    maxLength: 32,
    description: 'Only orders with a payment of this payment provider. Not for plugin keys.',
    example: 'stripe',
  })
  provider?: string;

  @CodeField({
    optional: true,
    maxLength: 40,
    description: 'Only orders with this discount code, in any spelling of it.',
    example: 'SUMMER10',
  })
  discountCode?: string;

  @InstantField({
    optional: true,
    description: 'Only orders created at this time or later.',
    example: '2026-11-01T00:00:00.000Z',
  })
  from?: Moment;

  @InstantField({
    optional: true,
    description: 'Only orders created before this time.',
    example: '2026-12-01T00:00:00.000Z',
  })
  to?: Moment;

  protected override get positionBytes(): number {
    return TIME_POSITION_BYTES;
  }
}
