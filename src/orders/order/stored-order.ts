/** The projection of an order: without what only the repositories need, and without the hash of its token. */
export const ORDER_FIELDS = {
  accessTokenHash: 0,
  slots: 0,
  discountMinor: 0,
  awaitedUntil: 0,
  expiryDueAt: 0,
  expiryFailures: 0,
} as const;

/** The projection of an order in a file: also without what only its details show. */
export const EXPORT_FIELDS = {
  ...ORDER_FIELDS,
  consents: 0,
  withdrawal: 0,
  missing: 0,
  review: 0,
  history: 0,
} as const;

/** The projection of an order in a list: also without what grows with its events. */
export const SUMMARY_FIELDS = { ...EXPORT_FIELDS, payments: 0 } as const;

/** Part of each write that ends or completes an order: its slots are free, and the hash of the address is no longer needed. */
export const WITHOUT_SLOTS = { $unset: { slots: 1 } } as const;
