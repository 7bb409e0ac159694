import { type CommandStages } from '../commands/command-list.types.js';
import { type MinorUnits } from '../../lib/money/money.js';
import { type Reduction } from '../sales/sale-rules.js';
import { type Tier } from '../tier-groups/tier-group.types.js';
import { type RepeatRule } from './product-ownership.js';
import { type Availability, type SellingTerms } from './selling-terms.js';

/** A fact about a product, such as "Homes" and "5". */
export interface ProductFact {
  readonly name: string;
  readonly value: string;
}

/** A product without the number of its units, which orders change (`ShardedCounters`). */
export interface UncountedProduct extends SellingTerms {
  readonly id: string;
  readonly shopId: string;
  readonly name: string;
  /** Its part of an address of the storefront; null: none. */
  readonly slug: string | null;
  /** One line, for lists. */
  readonly summary: string | null;
  readonly description: string;
  /** A word or two that stand out beside the name, such as "Popular"; null: none. */
  readonly label: string | null;
  /** Facts by which buyers compare products, in the order in which they are shown. */
  readonly metadata: readonly ProductFact[];
  /** Whether the front page of the storefront shows it. */
  readonly featured: boolean;
  readonly priceMinor: MinorUnits;
  /** The price before the sale, above the price; null: no sale. */
  readonly compareAtPriceMinor: MinorUnits | null;
  /** ISO 4217 code of the prices. */
  readonly currency: string;
  readonly imageUrls: readonly string[];
  /** Images that the shop has uploaded, the most important first. */
  readonly imageIds: readonly string[];
  readonly categoryId: string | null;
  /** Its position in the storefront, the smallest first. */
  readonly position: number;
  /** Whether the number of its units is limited. */
  readonly hasStock: boolean;
  /** The largest quantity in one order; null: no limit. */
  readonly maxPerOrder: number | null;
  /** The largest quantity for one buyer; null: no limit. */
  readonly maxPerBuyer: number | null;
  /** The game servers that the product is sold for; empty: every server of the shop. */
  readonly serverIds: readonly string[];
  /** The command templates of all stages (`CommandsService`). */
  readonly commandListId: string;
  /** How many days after the delivery the expiry commands run; null: no expiry. */
  readonly durationDays: number | null;
  /** What another purchase of it does; null: what `repeatOf` says. */
  readonly repeat: RepeatRule | null;
  /** The product as which its purchases count, such as the same rank for another time; null: itself. */
  readonly countsAs: string | null;
  /** Whether who has bought it for one game server owns it on all. */
  readonly ownedEverywhere: boolean;
  /** Whether its commands work only while the player is on the server. */
  readonly requiresOnline: boolean;
  /** Whether a full refund gives its units back to the stock although they were delivered. */
  readonly restockOnRefund: boolean;
  readonly isActive: boolean;
  /** When the shop deleted it; null: not deleted. The record stays for the statistics of its orders. */
  readonly archivedAt: Date | null;
  readonly createdAt: Date;
  /** `user:<id>` or `key:<id>`. */
  readonly createdBy: string;
}

export interface Product extends Omit<UncountedProduct, 'hasStock'> {
  /** How many units are left, negative after late payments; null: no limit. */
  readonly stock: number | null;
}

/** What everybody may see of a product that is for sale. */
export interface ListedProduct extends Omit<Product, 'shopId' | 'archivedAt' | 'createdAt' | 'createdBy'> {
  /** The sale that reduces it now, and what a unit costs with it; null: none. */
  readonly reduction: Reduction | null;
  /** The lowest price of the 30 days before it was reduced; null: it is not reduced, or nobody knows that price. */
  readonly priorPriceMinor: MinorUnits | null;
  /** Whether it can be ordered now. */
  readonly availability: Availability;
  /** Its tier in a group; null: none. */
  readonly tier: Tier | null;
}

/** What a change of a product writes. */
export type ProductValues = Omit<Product, 'id' | 'shopId' | 'currency' | 'archivedAt' | 'createdAt' | 'createdBy'>;

/** A product with its command templates. */
export interface ProductWithCommands extends Product, CommandStages {}

/** Which products a list contains; an absent field does not limit it. */
export interface ProductFilter {
  /** See `searchWordsOf`. */
  readonly q?: string | undefined;
  readonly isActive?: boolean | undefined;
  readonly categoryId?: string | undefined;
  /** One of the game servers that the product is sold for. */
  readonly serverId?: string | undefined;
}

/** What a storefront can limit its list to. */
export type StorefrontFilter = Pick<ProductFilter, 'q' | 'categoryId'>;

/** A quantity of a product. */
export interface ProductQuantity {
  readonly productId: string;
  readonly quantity: number;
}
