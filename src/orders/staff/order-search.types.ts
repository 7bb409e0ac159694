import { type DeliveryStatus, type OrderStatus, type PaymentStatus } from '../order/order.types.js';

/** Which orders a list contains; an absent field does not limit it. */
export interface OrderFilter {
  readonly status?: OrderStatus | undefined;
  readonly paymentStatus?: PaymentStatus | undefined;
  readonly deliveryStatus?: DeliveryStatus | undefined;
  readonly nicknameKey?: string | undefined;
  readonly buyerKey?: string | undefined;
  readonly productId?: string | undefined;
  readonly serverId?: string | undefined;
  /** The orders created at this time or later. */
  readonly from?: Date | undefined;
  /** The orders created before this time. */
  readonly to?: Date | undefined;
}
