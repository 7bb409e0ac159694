import { type Role } from '../../domain/principal/permissions.js';

/** An invitation to join a shop's team. */
export interface Invitation {
  readonly id: string;
  readonly shopId: string;
  readonly email: string;
  readonly role: Role;
  /** The principal that invited. */
  readonly invitedBy: string;
  /** The person who invited, or who created the key that invited. */
  readonly inviterId: string;
  /** The key that invited; null: a person invited. */
  readonly inviterKeyId: string | null;
  readonly expiresAt: Date;
}

/** A new invitation as it is stored. */
export type NewInvitation = Omit<Invitation, 'id' | 'shopId'> & {
  /** SHA-256 of the token in the email. */
  readonly tokenHash: string;
  readonly createdAt: Date;
};
