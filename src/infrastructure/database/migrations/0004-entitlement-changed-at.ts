import { type Migration } from './migration.types.js';
import { updateInBatches } from './update-in-batches.js';

/** `changedAt` of an entitlement, by which lists are sorted. Only versions that were not released stored entitlements without it. */
export const entitlementChangedAt: Migration = {
  id: 4,
  name: 'entitlement-changed-at',
  phase: 'expand',
  run: async (context) => {
    const changedAt = { $ifNull: ['$createdAt', '$$NOW'] };
    const update = [{ $set: { changedAt } }, { $unset: 'createdAt' }];
    await updateInBatches(context, 'entitlements', { changedAt: { $exists: false } }, update);
  },
};
