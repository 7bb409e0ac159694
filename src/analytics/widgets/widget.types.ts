import { type MinorUnits } from '../../lib/money/money.js';
import { type MonthRevenue } from '../stats/reports/shop-figures.service.js';

/** The time over which buyers are compared: the running month of the shop, or all time. */
export const TOP_PERIODS = ['month', 'all'] as const;
export type TopPeriod = (typeof TOP_PERIODS)[number];

/** Which top buyers to show. */
export interface TopBuyersRequest {
  readonly period: TopPeriod;
  readonly limit: number;
}

/** One of the buyers who paid most. The amount is not published. */
export interface TopBuyer {
  /** From 1 on. */
  readonly rank: number;
  readonly nickname: string;
}

/** The progress of a shop towards its goal for the current month. */
export interface GoalProgress extends MonthRevenue {
  readonly targetMinor: MinorUnits;
  /** ISO 4217. */
  readonly currency: string;
}
