import { type MinorUnits } from '../common/money/money.js';

export interface Product {
  readonly id: string;
  readonly shopId: string;
  readonly name: string;
  readonly description: string;
  readonly priceMinor: MinorUnits;
  /** ISO 4217 code of the price. */
  readonly currency: string;
  readonly imageUrl: string | null;
  /** The game servers that the product is sold for; empty: every server of the shop. */
  readonly serverIds: readonly string[];
  /** The list of the command templates (`CommandsService`). */
  readonly commandListId: string;
  /** Whether its commands work only while the player is on the server. */
  readonly requiresOnline: boolean;
  readonly isActive: boolean;
  /** When the shop deleted it; null: not deleted. The record stays for the statistics of its orders. */
  readonly archivedAt: Date | null;
  readonly createdAt: Date;
  /** `user:<id>` or `key:<id>`. */
  readonly createdBy: string;
}

/** What a change of a product writes. */
export type ProductValues = Omit<Product, 'id' | 'shopId' | 'currency' | 'archivedAt' | 'createdAt' | 'createdBy'>;

/** A product with its command templates. */
export interface ProductWithCommands extends Product {
  readonly commands: readonly string[];
}
