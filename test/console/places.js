// Every page of the console. `packages/console/src/app/pages.spec.ts` compares the lists with the router, so that no page is forgotten.

/** The pages of those who are not signed in. */
export const GUEST_PLACES = ['sign-in', 'register', 'forgot-password', 'invitation'];

/** The pages of everybody who is signed in. */
export const ACCOUNT_PLACES = ['', 'account', 'shops', 'shops/new'];

/** The pages of a shop. A name after `$` is that of a record. */
export const SHOP_PLACES = [
  '',
  ...['orders', 'orders/new', 'orders/$orderId'],
  ...['products', 'products/new', 'products/categories', 'products/tiers', 'products/$productId'],
  ...['players', 'players/bans', 'players/$key'],
  ...['discounts', 'discounts/sales', 'discounts/new', 'discounts/$discountId'],
  ...['deliveries', 'servers', 'servers/new', 'servers/$serverId', 'statistics', 'storefront'],
  ...['developers', 'developers/webhooks', 'developers/webhooks/$webhookId', 'developers/rejected'],
  ...['settings', 'settings/legal', 'settings/payments', 'settings/team', 'settings/domain'],
];

/** The address of a page below that of its shop. @param ids of the records that the pages show */
export const addressOf = (place, ids) => place.replace(/\$(\w+)/, (_, name) => ids[name]);

/** How the pictures of a page are called. */
export const nameOf = (place) => place.replace(/\W+/g, '-').replace(/-$/, '') || 'home';
