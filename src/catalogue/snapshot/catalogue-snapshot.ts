import { type PaymentMethod } from '../../domain/payments/charge-rules.js';
import { type CommandStages } from '../commands/command-list.types.js';
import { type PriorPrice } from '../pricing/price-change.types.js';
import { type Category } from '../products/category.types.js';
import { type UncountedProduct } from '../products/product.types.js';
import { type SoldSale } from '../sales/sale.types.js';
import { type GameServer } from '../servers/server.types.js';
import { type SoldTierGroup } from '../tier-groups/tier-group.types.js';

/** A product that is not deleted. It may be inactive: then it exists, and cannot be ordered. */
export interface SoldProduct extends Omit<UncountedProduct, 'shopId' | 'archivedAt' | 'createdAt' | 'createdBy'> {
  /** Apart from the other fields, because the public must not see them. */
  readonly stages: CommandStages;
}

export type SoldCategory = Pick<Category, 'id' | 'name' | 'slug' | 'description' | 'parentId' | 'imageId' | 'position'>;

/** A server that is not deleted. Orders for a hidden one are possible; public lists do not name it. */
export type SoldServer = Pick<GameServer, 'id' | 'name' | 'game' | 'address' | 'isHidden'>;

/** What a snapshot consists of, as it is stored. */
export interface CatalogueContents {
  readonly products: readonly SoldProduct[];
  readonly categories: readonly SoldCategory[];
  readonly servers: readonly SoldServer[];
  readonly sales: readonly SoldSale[];
  readonly tierGroups: readonly SoldTierGroup[];
  readonly priorPrices: ReadonlyMap<string, readonly PriorPrice[]>;
  readonly methods: readonly PaymentMethod[];
}

/**
 * What a shop sells at one moment, and what it can charge. It never changes: another revision is another snapshot. It has nothing about
 * a buyer, and nothing that changes without a new revision: no stock, no heartbeats, no discounts, no health of a provider.
 */
export interface CatalogueSnapshot {
  /** As `Shop.catalogueRevision`. */
  readonly revision: string | null;
  /** By id, in the order of the storefront: by position, and newest first where positions are equal. */
  readonly products: ReadonlyMap<string, SoldProduct>;
  /** In the order of the storefront. */
  readonly categories: readonly SoldCategory[];
  /** By id. */
  readonly servers: ReadonlyMap<string, SoldServer>;
  /** Those that had not ended 24 hours before the snapshot was made. */
  readonly sales: readonly SoldSale[];
  readonly tierGroups: readonly SoldTierGroup[];
  /** By product, the prices before the reductions that run or are planned (`priorPriceAt`). */
  readonly priorPrices: ReadonlyMap<string, readonly PriorPrice[]>;
  /** What can charge an amount: the payment providers that are switched on. */
  readonly methods: readonly PaymentMethod[];
}

export function snapshotOf(
  revision: string | null,
  { products, categories, servers, sales, tierGroups, priorPrices, methods }: CatalogueContents,
): CatalogueSnapshot {
  return {
    revision,
    products: byId(products.toSorted(inStorefront)),
    categories: categories.toSorted(inStorefront),
    servers: byId(servers),
    sales,
    tierGroups,
    priorPrices,
    methods,
  };
}

function byId<Item extends { readonly id: string }>(items: readonly Item[]): ReadonlyMap<string, Item> {
  return new Map(items.map((item) => [item.id, item]));
}

interface Positioned {
  readonly position: number;
  readonly id: string;
}

function inStorefront(one: Positioned, other: Positioned): number {
  return one.position - other.position || (one.id < other.id ? 1 : -1);
}
