/** A time range: it includes `from` and excludes `to`. */
export interface Interval {
  readonly from: Date;
  readonly to: Date;
}

/** Two stretches of time that are summed together. They may overlap. */
export interface SalesWindows {
  readonly current: Interval;
  readonly previous: Interval;
}

export type SalesWindow = keyof SalesWindows;

/** A grid over time: slots of `sizeMs` (at most a day) that begin at `phaseMs` and every multiple of the size after it. */
export interface SlotGrid {
  readonly sizeMs: number;
  readonly phaseMs: number;
}

/** Which sales to sum. */
export interface SalesQuestion {
  readonly shopId: string;
  /** ISO 4217. Orders in other currencies do not count: amounts are never summed across currencies. */
  readonly currency: string;
  readonly windows: SalesWindows;
  /** The windows in parts without gaps. No sum is of more than one part. */
  readonly parts: Readonly<Record<SalesWindow, readonly Interval[]>>;
  /** The same as a grid. Null: each window is one part. */
  readonly slots: SlotGrid | null;
  /** Only orders for this server. */
  readonly serverId?: string | undefined;
  /** Only orders with this product, and of those only its share: its items, and its part of every amount. */
  readonly productId?: string | undefined;
}

/** Sums over orders. They add up: the sums of a day are those of its hours together. Amounts in minor units. */
export interface SalesSums {
  /** What buyers paid (after discounts), counted when they paid. */
  readonly grossMinor: number;
  /** What discounts took off the paid orders. */
  readonly discountMinor: number;
  readonly paidOrders: number;
  readonly itemsSold: number;
  /** Paid orders that were the first of their buyer in the shop. */
  readonly newBuyers: number;
  /** What was refunded, counted when it was refunded. */
  readonly refundsMinor: number;
  /** What the shop lost in disputes, counted when it lost them. */
  readonly chargebacksMinor: number;
  /** Orders created, paid or not. */
  readonly orders: number;
  /** How many of the orders created were paid, at any time. */
  readonly convertedOrders: number;
}

/** The sums of one slot. */
export interface SalesSlot extends SalesSums {
  /** When the slot begins; null when the sums are not split. */
  readonly at: Date | null;
}

/** The sales of one window. */
export interface Sales {
  /** The slots in which something happened, earliest first. */
  readonly slots: readonly SalesSlot[];
  /** How many buyers paid in the window. It does not add up over slots: one buyer may pay in several. */
  readonly uniqueBuyers: number;
}

export const NO_SALES: SalesSums = {
  grossMinor: 0,
  discountMinor: 0,
  paidOrders: 0,
  itemsSold: 0,
  newBuyers: 0,
  refundsMinor: 0,
  chargebacksMinor: 0,
  orders: 0,
  convertedOrders: 0,
};

/** What buyers paid, minus what they got back. */
export const netMinorOf = ({ grossMinor, refundsMinor, chargebacksMinor }: SalesSums): number =>
  grossMinor - refundsMinor - chargebacksMinor;

/** Adds sums. What is missing in the second counts as 0. */
export function addSales(left: SalesSums, right: Partial<SalesSums>): SalesSums {
  return {
    grossMinor: left.grossMinor + (right.grossMinor ?? 0),
    discountMinor: left.discountMinor + (right.discountMinor ?? 0),
    paidOrders: left.paidOrders + (right.paidOrders ?? 0),
    itemsSold: left.itemsSold + (right.itemsSold ?? 0),
    newBuyers: left.newBuyers + (right.newBuyers ?? 0),
    refundsMinor: left.refundsMinor + (right.refundsMinor ?? 0),
    chargebacksMinor: left.chargebacksMinor + (right.chargebacksMinor ?? 0),
    orders: left.orders + (right.orders ?? 0),
    convertedOrders: left.convertedOrders + (right.convertedOrders ?? 0),
  };
}
