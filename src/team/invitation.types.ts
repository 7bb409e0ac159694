import { type Role } from '../common/auth/permissions.js';

/** An offer to join a shop's team, sent by mail. */
export interface Invitation {
  readonly id: string;
  readonly shopId: string;
  readonly email: string;
  readonly role: Role;
  /** The principal that invited. */
  readonly invitedBy: string;
  /** The person who invited, or who made the key that did. */
  readonly inviterId: string;
  /** The key that invited; null: a person did. */
  readonly inviterKeyId: string | null;
  readonly expiresAt: Date;
}
