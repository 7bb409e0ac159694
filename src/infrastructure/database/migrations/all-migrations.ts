import { serverSeenAt } from './0001-server-seen-at.js';
import { firstPrices } from './0002-first-prices.js';
import { buyerProfiles } from './0003-buyer-profiles.js';
import { entitlementChangedAt } from './0004-entitlement-changed-at.js';
import { soldItems } from './0005-sold-items.js';
import { paidEntitlements } from './0006-paid-entitlements.js';
import { deliveryTimes } from './0007-delivery-times.js';
import { type Migration } from './migration.types.js';

/** All migrations, in the order in which they run. One that was released is never changed or removed. */
export const MIGRATIONS: readonly Migration[] = [
  serverSeenAt,
  firstPrices,
  buyerProfiles,
  entitlementChangedAt,
  soldItems,
  paidEntitlements,
  deliveryTimes,
];
