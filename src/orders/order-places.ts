/** Part of each write that ends an order or completes it: the hash of the address is no longer needed. */
export const WITHOUT_PLACES = { $unset: { places: 1 } } as const;
