/** A stretch of time, `[from, to)`. */
export interface Interval {
  readonly from: Date;
  readonly to: Date;
}

/** Two stretches of time that are summed in one go; they may overlap. */
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

/** Whose sales are asked for. */
export interface SalesQuestion {
  readonly shopId: string;
  /** ISO 4217; orders in other currencies are left out, since amounts are never summed across currencies. */
  readonly currency: string;
  readonly windows: SalesWindows;
  /** How finely the sums are split over time; null: one sum for each window. */
  readonly slots: SlotGrid | null;
  /** Only orders for this server. */
  readonly serverId?: string | undefined;
  /** Only orders that hold this product, and of those only its share: its items, and its part of every amount. */
  readonly productId?: string | undefined;
}

/** Sums over orders. They add up: those of a day are the sums of its hours. Amounts in minor units. */
export interface SalesSums {
  /** What buyers paid (discounts are off already), counted when it was paid. */
  readonly grossMinor: number;
  /** What discounts took off the paid orders. */
  readonly discountMinor: number;
  readonly paidOrders: number;
  readonly itemsSold: number;
  /** Paid orders that were their buyer's first in the shop. */
  readonly newBuyers: number;
  /** What was given back, counted when it was given back. */
  readonly refundsMinor: number;
  /** What lost disputes took back, counted when they were lost. */
  readonly chargebacksMinor: number;
  /** Orders created, whatever became of them. */
  readonly orders: number;
  /** How many of the orders created were paid, whenever that was. */
  readonly convertedOrders: number;
}

/** The sums of one slot. */
export interface SalesSlot extends SalesSums {
  /** When the slot begins; null when the sums are not split. */
  readonly at: Date | null;
}

/** The sales of one window. */
export interface Sales {
  /** Slots in which something happened, in the order of time. */
  readonly slots: readonly SalesSlot[];
  /** How many buyers paid in the window. Buyers of two slots may be the same, so this one does not add up. */
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

/** The sum of two sums; what is missing in the second counts as nothing. */
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
