import { type MinorUnits } from '../../lib/money/money.js';

/** What a product cost without a sale from one change to the next. A category is part of it, because sales name categories. */
export interface PriceChange {
  readonly id: string;
  readonly shopId: string;
  readonly productId: string;
  /** Inclusive. */
  readonly from: Date;
  /** Exclusive; `NO_END`: it is in force. */
  readonly until: Date;
  readonly listMinor: MinorUnits;
  /** The higher price that was shown beside it; null: none. */
  readonly compareAtMinor: MinorUnits | null;
  readonly categoryId: string | null;
  /** Whether the product had a price before that was not recorded. */
  readonly hasUnknownPast: boolean;
}

/** The fields of a product whose changes are recorded. */
export interface RecordedProduct {
  readonly id: string;
  readonly shopId: string;
  readonly priceMinor: MinorUnits;
  readonly compareAtPriceMinor: MinorUnits | null;
  readonly categoryId: string | null;
}

/** The end of what is in force: a date, so that one range of an index finds what lasted until a moment or still does. */
export const NO_END = new Date('9999-12-31T23:59:59.999Z');

/** What everybody paid for a product in an interval, without codes. */
export interface PublicPrice {
  /** Inclusive. */
  readonly from: Date;
  /** Exclusive; `NO_END`: until somebody changes it. */
  readonly until: Date;
  readonly priceMinor: MinorUnits;
  /** The sale that reduced it; null: none. */
  readonly saleId: string | null;
  /** Whether it was shown as a reduction: by a sale, or by a higher price beside it. */
  readonly isReduced: boolean;
}

/** From a moment on until the next such moment: the price before the reduction that runs then. */
export interface PriorPrice {
  readonly from: Date;
  /** null: nothing is reduced, or the prices before are not known. */
  readonly priceMinor: MinorUnits | null;
}
