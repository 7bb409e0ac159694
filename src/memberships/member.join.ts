import { type Join } from '../database/direct-reads.js';
import { MEMBER_COLLECTION, type MemberRecord } from './member.schema.js';

const MEMBER_FIELDS = {
  shopId: 1,
  userId: 1,
  role: 1,
  joinedAt: 1,
  addedBy: 1,
  updatedBy: 1,
  updatedAt: 1,
  lastActiveAt: 1,
} as const;

/** A membership as it is read. */
export type ReadMember = MemberRecord;

/** Joins to a credential the membership that its person (`userId`) has in a shop; null, for no shop, joins nothing. */
export function membershipIn(shopId: string | null): Join<ReadMember> | null {
  if (shopId === null) return null;
  const person = { localField: 'userId', foreignField: 'userId' };
  return { from: MEMBER_COLLECTION, ...person, ids: { shopId }, fields: MEMBER_FIELDS };
}
