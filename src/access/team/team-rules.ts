import { type Permission, permissionsOfRole, type Role } from '../../domain/principal/permissions.js';

/** A person or a key that changes a team. */
export interface Actor {
  readonly kind: 'user' | 'api_key';
  /** The role of the person now; for a key, of the person who created it. */
  readonly role: Role;
  /** The permissions of the credential. Only those that the role also has are counted. */
  readonly permissions: ReadonlySet<Permission>;
}

export type TeamRejection = 'may_not_manage' | 'member_above' | 'role_above';

/**
 * Whether somebody may change a member's role. Nobody gives permissions that they do not have, and nobody changes a member
 * who has more permissions. Only an owner who signed in, never a key, gives or takes the role of an owner.
 * @param before the role before; null: not a member yet (an invitation)
 * @param after the role after; null: no longer a member (a removal)
 * @returns why not; null when it is allowed
 */
export function teamRejection(actor: Actor, before: Role | null, after: Role | null): TeamRejection | null {
  const own = permissionsOfRole(actor.role);
  const holds = (permission: Permission): boolean => actor.permissions.has(permission) && own.has(permission);
  const reaches = (role: Role): boolean => {
    if (role === 'owner' && (actor.kind !== 'user' || actor.role !== 'owner')) return false;
    return [...permissionsOfRole(role)].every(holds);
  };
  if (!holds('team:write')) return 'may_not_manage';
  if (before !== null && !reaches(before)) return 'member_above';
  if (after !== null && !reaches(after)) return 'role_above';
  return null;
}
