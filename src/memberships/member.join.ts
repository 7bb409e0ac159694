import { type Join } from '../database/direct-reads.js';
import { MEMBER_COLLECTION, type MemberRecord } from './member.schema.js';
import { type Member } from './member.types.js';

/** The fields of a membership that are read. */
export const MEMBER_FIELDS = { shopId: 1, userId: 1, role: 1, joinedAt: 1, lastActiveAt: 1 } as const;

/** A membership as it is read. */
export type ReadMember = Pick<MemberRecord, '_id' | keyof typeof MEMBER_FIELDS>;

export function toMember({ _id, shopId, userId, role, joinedAt, lastActiveAt }: ReadMember): Member {
  const ids = { id: _id.toHexString(), shopId: shopId.toHexString(), userId: userId.toHexString() };
  return { ...ids, role, joinedAt, lastActiveAt };
}

/** Joins to a credential the membership that its person (`userId`) has in a shop; null, for no shop, joins nothing. */
export function membershipIn(shopId: string | null): Join<ReadMember> | null {
  if (shopId === null) return null;
  const person = { localField: 'userId', foreignField: 'userId' };
  return { from: MEMBER_COLLECTION, ...person, ids: { shopId }, fields: MEMBER_FIELDS };
}
