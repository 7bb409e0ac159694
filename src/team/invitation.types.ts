import { type Role } from '../common/auth/permissions.js';

/** An offer to join a shop's team, sent by mail. */
export interface Invitation {
  readonly id: string;
  readonly shopId: string;
  readonly email: string;
  readonly role: Role;
  readonly expiresAt: Date;
}
