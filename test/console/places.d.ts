export const GUEST_PLACES: readonly string[];
export const ACCOUNT_PLACES: readonly string[];
export const SHOP_PLACES: readonly string[];
