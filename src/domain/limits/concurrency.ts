/** How many requests of one shop run at once, in each process. */
export interface Concurrency {
  readonly running: number;
  /** How many more wait for their turn, in the order of arrival. One more is rejected. */
  readonly waiting: number;
}

/**
 * The limits of routes that cost so much that a number of requests per minute does not protect other shops. Routes with the same
 * limit are counted together.
 */
export const CONCURRENCY = {
  /** Files with all orders of a shop, which take as long as their client reads. */
  orderExport: { running: 2, waiting: 0 },
  /** The same with all movements of money. */
  paymentExport: { running: 2, waiting: 0 },
  /** Statistics, of which a page requests several at once: so they wait. */
  statistics: { running: 1, waiting: 50 },
  /** The same for visitors of a shop, who must not use up what its owners wait for. */
  publicStatistics: { running: 1, waiting: 50 },
} as const satisfies Record<string, Concurrency>;

export type ConcurrencyName = keyof typeof CONCURRENCY;
