import { Types } from 'mongoose';
import { MEMBER_COLLECTION } from '../../src/memberships/member.schema.js';
import { type Member } from '../../src/memberships/member.types.js';
import { type User } from '../../src/users/user.types.js';
import { SHOP, USER } from './contexts.js';
import { type TestStore } from './store.js';

/** The membership of the person of `shopContext`: an owner who was never active. */
export function memberWith(fields: Partial<Member> = {}): Member {
  return {
    id: '655f1c2ab1e4a9d3f0c81235',
    shopId: SHOP,
    userId: USER,
    role: 'owner',
    joinedAt: new Date('2026-11-21T12:00:00.000Z'),
    addedBy: `user:${USER}`,
    updatedBy: null,
    updatedAt: null,
    lastActiveAt: null,
    ...fields,
  };
}

/** Stores memberships in a store without the rest of a shop. */
export async function storeMembers({ connection }: TestStore, members: readonly Member[]): Promise<void> {
  const records = members.map(({ id, shopId, userId, ...values }) => ({
    _id: new Types.ObjectId(id),
    shopId: new Types.ObjectId(shopId),
    userId: new Types.ObjectId(userId),
    ...values,
  }));
  await connection.collection(MEMBER_COLLECTION).insertMany(records);
}

/** The account of the person of `shopContext`. */
export function userWith(fields: Partial<User> = {}): User {
  return {
    id: USER,
    email: 'olivia@example.com',
    name: 'Olivia',
    language: 'en',
    createdAt: new Date('2026-11-20T12:00:00.000Z'),
    ...fields,
  };
}
