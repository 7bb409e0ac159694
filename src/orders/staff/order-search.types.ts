import { type DeliveryStatus, type OrderStatus, type PaymentStatus, type StaffOrigin } from '../order/order.types.js';

/** The times by which orders can be searched. `paidAt`: only orders that were paid. */
export const ORDER_DATES = ['createdAt', 'paidAt'] as const;
export type OrderDate = (typeof ORDER_DATES)[number];

/** One way in which a search finds orders. `nicknamePrefix`: the beginning of a nickname, as `nicknameKeyOf` writes it. */
export type OrderLookup =
  | { readonly id: string }
  | { readonly number: number }
  | { readonly buyerKey: string }
  | { readonly nicknamePrefix: string }
  | { readonly paymentId: string }
  | { readonly discountCode: string };

/** Which orders a list contains; an absent field does not limit it. */
export interface OrderFilter {
  readonly status?: OrderStatus | undefined;
  readonly paymentStatus?: PaymentStatus | undefined;
  readonly deliveryStatus?: DeliveryStatus | undefined;
  readonly number?: number | undefined;
  readonly origin?: StaffOrigin | undefined;
  readonly nicknameKey?: string | undefined;
  readonly buyerKey?: string | undefined;
  readonly productId?: string | undefined;
  readonly serverId?: string | undefined;
  /** The provider's id of one of its payments. */
  readonly paymentId?: string | undefined;
  /** The payment provider of one of its payments. */
  readonly provider?: string | undefined;
  /** As `codeOf` returns it. */
  readonly discountCode?: string | undefined;
  /** Only the orders that one of these finds. */
  readonly lookups?: readonly OrderLookup[] | undefined;
  /** The time that `from` and `to` limit, and by which the list is sorted; `createdAt` when absent. */
  readonly dateField?: OrderDate | undefined;
  /** The orders of this time or later. */
  readonly from?: Date | undefined;
  /** The orders before this time. */
  readonly to?: Date | undefined;
}
