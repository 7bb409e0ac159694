import { type Member } from '../../src/shops/memberships/member.types.js';
import { type User } from '../../src/accounts/users/user.types.js';
import { SHOP, USER } from './contexts.js';

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

/** The account of the person of `shopContext`. */
export function userWith(fields: Partial<User> = {}): User {
  return {
    id: USER,
    email: 'olivia@example.com',
    isEmailProven: true,
    name: 'Olivia',
    language: 'en',
    createdAt: new Date('2026-11-20T12:00:00.000Z'),
    ...fields,
  };
}
