export const DELIVERY_STATES = ['queued', 'leased', 'delivered', 'failed', 'revoked'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** The parts of an order that its deliveries are made from. */
export interface DeliverableOrder {
  readonly id: string;
  readonly shopId: string;
  readonly serverId: string | null;
  readonly nickname: string;
  readonly items: readonly { readonly quantity: number; readonly commandListId: string }[];
}

/** A delivery that is not stored yet. */
export interface NewDelivery {
  readonly orderId: string;
  readonly serverId: string | null;
  /** Which item of the order it delivers, from 0. */
  readonly position: number;
  readonly nickname: string;
  readonly quantity: number;
  /** The list of its command templates. They are filled in for whoever runs them. */
  readonly commandListId: string;
  readonly createdAt: Date;
}
