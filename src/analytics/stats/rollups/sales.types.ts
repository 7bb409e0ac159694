import { type SalesSums } from './sale-sums.js';

/** A time range: it includes `from` and excludes `to`. */
export interface Interval {
  readonly from: Date;
  readonly to: Date;
}

/** The windows of a comparison. */
export type SalesWindow = 'current' | 'previous';

/** Which sales to sum, in windows with names. */
export interface SalesQuery<Window extends string = SalesWindow> {
  readonly shopId: string;
  /** ISO 4217. Orders in other currencies do not count: amounts are never summed across currencies. */
  readonly currency: string;
  /** They are summed together, and may overlap. */
  readonly windows: Readonly<Record<Window, Interval>>;
  /** The windows, cut into buckets without gaps. Each bucket is summed alone. */
  readonly buckets: Readonly<Record<Window, readonly Interval[]>>;
  /** Only orders for this server. */
  readonly serverId?: string | undefined;
  /** Only orders with this product, and of those only its share: its items, and its part of every amount. */
  readonly productId?: string | undefined;
}

/** The sales of one window. */
export interface Sales {
  /** The sums of each bucket of the query, in the same order. */
  readonly buckets: readonly SalesSums[];
  /** How many buyers paid in the window. It does not add up over buckets: one buyer may pay in several. */
  readonly uniqueBuyers: number;
}
