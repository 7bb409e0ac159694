export const SALE_TYPES = ['percent', 'fixed'] as const;
export type SaleType = (typeof SALE_TYPES)[number];

export const SALE_SCOPES = ['all', 'products', 'categories'] as const;
export type SaleScope = (typeof SALE_SCOPES)[number];

/** When a sale is: it never goes back. */
export const SALE_STATES = ['planned', 'running', 'ended'] as const;
export type SaleState = (typeof SALE_STATES)[number];

/** What a shop decides about a sale. */
export interface SaleValues {
  /** Buyers see it. */
  readonly name: string;
  readonly type: SaleType;
  /** `percent`: percent with up to two decimals. `fixed`: minor units. */
  readonly value: number;
  readonly scope: SaleScope;
  /** With the scope `products`; otherwise empty. */
  readonly productIds: readonly string[];
  /** With the scope `categories`: those whose own products are reduced; otherwise empty. */
  readonly categoryIds: readonly string[];
  readonly excludedProductIds: readonly string[];
  /** Inclusive. */
  readonly startsAt: Date;
  /** Exclusive; null: no end. */
  readonly endsAt: Date | null;
}

/** What subscribers are to be notified of next, and when. */
export interface SaleAnnouncement {
  readonly type: 'started' | 'ended';
  readonly at: Date;
}

/** A sale: a reduction of the prices of some products in an interval. */
export interface Sale extends SaleValues {
  readonly id: string;
  readonly shopId: string;
  /** ISO 4217 code of the amount. */
  readonly currency: string;
  readonly createdAt: Date;
  /** `user:<id>` or `key:<id>`. */
  readonly createdBy: string;
  /** null: nothing, also for a sale that was stored before sales were announced. */
  readonly announces: SaleAnnouncement | null;
}

/** A sale of a snapshot. */
export type SoldSale = SaleValues & Pick<Sale, 'id'>;
