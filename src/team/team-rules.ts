import { type Permission, permissionsOfRole, type Role } from '../common/auth/permissions.js';

/** Who changes a team. */
export interface Actor {
  readonly kind: 'user' | 'api_key';
  /** The role, now, of the person; of a key, that of the person who made it. */
  readonly role: Role;
  /** What the credential holds; what the role lacks counts for nothing. */
  readonly permissions: ReadonlySet<Permission>;
}

export type TeamRefusal = 'may_not_manage' | 'member_above' | 'role_above';

/**
 * Whether somebody may turn a member's role into another: nobody grants what they lack, and nobody touches a member who
 * holds more than they do. Ownership is more than its permissions: only an owner in person, never a key, gives or takes it.
 * @param before null: no member yet (an invitation)
 * @param after null: no member any more (a removal)
 * @returns why not, or null
 */
export function teamRefusal(actor: Actor, before: Role | null, after: Role | null): TeamRefusal | null {
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
