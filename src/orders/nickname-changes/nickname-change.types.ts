/** The nickname of an order before and after its change. */
export interface NicknameChange {
  readonly orderId: string;
  readonly previousNickname: string;
  readonly nickname: string;
  readonly changedAt: Date;
}
