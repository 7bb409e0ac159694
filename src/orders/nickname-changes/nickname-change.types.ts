/** The nickname of an order, or of one of its deliveries, before and after its change. */
export interface NicknameChange {
  readonly orderId: string;
  readonly previousNickname: string;
  readonly nickname: string;
  readonly changedAt: Date;
  /** The name of the item whose delivery alone has the new nickname; absent: the order has it. */
  readonly item?: string;
}
