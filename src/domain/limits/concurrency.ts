/**
 * How many requests a process works on at once. What exceeds it waits, and the callers get the next free slots in turns. A caller is an
 * API key or a person; until the credential of a request is verified, and when it has none, its client address.
 */
export const REQUEST_SLOTS = {
  /** Of all callers together: fewer than the connections to the database (50), so that no request waits for one. */
  total: 32,
  /** Of one caller. */
  perCaller: 16,
  /**
   * Of one address, until their credentials are verified. Fewer, because with 16 of them and 16 of the key to which they move next, one
   * caller would have all slots. A verification takes milliseconds, except while the database does not respond: then the requests of
   * several callers at one address still get the 503 of the outage, and not the 429 of a burst.
   */
  verifying: 8,
  /** How many more requests of a key or a person wait. One more is rejected. */
  waiting: 64,
  /** How many more requests of one address wait: it can be that of a school, or of the servers of many shops. */
  waitingOfAddress: 256,
  /** What all waiting requests keep in memory. Beyond it, those of the caller that keeps most are rejected. */
  waitingBytes: 64 * 2 ** 20,
} as const;

/** How many requests of one shop run at once, in each process. */
export interface Concurrency {
  readonly running: number;
  /** How many more wait for their turn. One more is rejected. */
  readonly waiting: number;
  /** How long a request may wait, including the wait for a request slot. Then it is rejected, before its deadline (10 s). */
  readonly waitSeconds: number;
  /**
   * Whether callers are served in turns, and `waiting` is for each of them: the callers are strangers to each other, and none may take the
   * turns of the others. Otherwise requests are served in the order of arrival.
   */
  readonly inTurns?: boolean;
}

/**
 * The limits of routes that cost so much that a number of requests per minute does not protect other shops. Routes with the same
 * limit are counted together.
 */
export const CONCURRENCY = {
  /** Files with all orders of a shop, which take as long as their client reads. */
  orderExport: { running: 2, waiting: 0, waitSeconds: 0 },
  /** The same with all movements of money. */
  paymentExport: { running: 2, waiting: 0, waitSeconds: 0 },
  /** Everything that a shop has stored about a buyer, each of which searches all collections with personal data. */
  buyerExport: { running: 2, waiting: 0, waitSeconds: 0 },
  /** Many failed deliveries that staff queue again: two requests at once would only wait for each other. */
  redelivery: { running: 1, waiting: 2, waitSeconds: 3 },
  /** Statistics, of which a page requests several at once: so they wait. */
  statistics: { running: 1, waiting: 50, waitSeconds: 8 },
  /** The same for visitors of a shop, who must not use up what its owners wait for. */
  publicStatistics: { running: 1, waiting: 50, waitSeconds: 8 },
  /**
   * Checkouts, which write the same records: more at once would only wait for each other, and keep slots that other shops need. They begin
   * in time for their transaction.
   */
  checkout: { running: 8, waiting: REQUEST_SLOTS.perCaller, waitSeconds: 3, inTurns: true },
} as const satisfies Record<string, Concurrency>;

export type ConcurrencyName = keyof typeof CONCURRENCY;
