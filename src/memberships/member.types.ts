import { type Permission, type Role } from '../common/auth/permissions.js';

/** A person's place in a shop's team. */
export interface Member {
  readonly id: string;
  readonly shopId: string;
  readonly userId: string;
  readonly role: Role;
  readonly joinedAt: Date;
  readonly lastActiveAt: Date | null;
}

/** What a person may do in a shop. */
export interface Membership {
  readonly memberId: string;
  readonly role: Role;
  readonly permissions: ReadonlySet<Permission>;
}
