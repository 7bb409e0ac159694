import { type Permission, type Role } from '../../domain/principal/permissions.js';

/** The membership of a person in a shop's team. */
export interface Member {
  readonly id: string;
  readonly shopId: string;
  readonly userId: string;
  readonly role: Role;
  readonly joinedAt: Date;
  /** The principal that invited the person; the person, when they created the shop. */
  readonly addedBy: string;
  /** The principal that last changed the role; null: it never changed. */
  readonly updatedBy: string | null;
  readonly updatedAt: Date | null;
  readonly lastActiveAt: Date | null;
}

/** What a person may do in a shop. */
export interface Membership {
  readonly memberId: string;
  readonly role: Role;
  readonly permissions: ReadonlySet<Permission>;
}

export type NewMember = Pick<Member, 'userId' | 'role' | 'joinedAt' | 'addedBy'>;

export interface MemberChange {
  readonly role: Role;
  /** The principal that made the change. */
  readonly updatedBy: string;
  readonly updatedAt: Date;
}
