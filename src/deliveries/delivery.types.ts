export const DELIVERY_STATES = ['queued', 'leased', 'delivered', 'failed', 'revoked'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** The parts of an order that its deliveries are made from. */
export interface DeliverableOrder {
  readonly id: string;
  readonly shopId: string;
  readonly serverId: string | null;
  readonly nickname: string;
  readonly items: readonly { readonly quantity: number; readonly commands: readonly string[] }[];
}

/** A delivery that is not stored yet. */
export interface NewDelivery {
  readonly orderId: string;
  readonly serverId: string | null;
  /** Which item of the order it delivers, from 0. */
  readonly position: number;
  readonly nickname: string;
  /** Rendered for the nickname. `{uuid}` stays: only the plugin knows it. */
  readonly commands: readonly string[];
  readonly createdAt: Date;
}
