import { type MinorUnits } from '../common/money/money.js';

export interface Product {
  readonly id: string;
  readonly shopId: string;
  readonly name: string;
  readonly description: string;
  readonly priceMinor: MinorUnits;
  readonly currency: string;
  readonly imageUrl: string | null;
  /** Where the product can be bought for; empty: every server of the shop. */
  readonly serverIds: readonly string[];
  /** Command templates with `{nickname}`, `{uuid}`, `{orderId}`, `{quantity}`. */
  readonly commands: readonly string[];
  readonly isActive: boolean;
  readonly createdAt: Date;
}
