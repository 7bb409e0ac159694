import { isPermission, type Permission } from '../common/auth/permissions.js';
import { type ApiKeyType, TYPE_CEILINGS } from './api-key.types.js';

/** How many game servers a key can be bound to, and how many addresses or ranges it can be accepted from. */
export const MAX_SERVERS = 100;
export const MAX_ADDRESSES = 32;
/** Eight groups, the last two as an IPv4 address, and a prefix. */
export const MAX_ADDRESS_LENGTH = 49;

/** The distinct actions of a key's scopes, read before write: what the contract's record shows. */
export function actionsOf(scopes: readonly Permission[]): string[] {
  return ['read', 'write'].filter((action) => scopes.some((scope) => scope.endsWith(`:${action}`)));
}

/**
 * Why a list of permissions cannot be given to a key, one sentence each; empty when it can.
 * @param held what the person who asks holds in the key's shop now
 */
export function scopeProblems(requested: readonly string[], type: ApiKeyType, held: ReadonlySet<Permission>): string[] {
  const ceiling = new Set<string>(TYPE_CEILINGS[type]);
  return requested.flatMap((permission) => {
    if (!isPermission(permission)) return [`permissions: ${permission.slice(0, 40)} is not a known permission`];
    if (!ceiling.has(permission)) return [`permissions: a ${type} key cannot hold ${permission}`];
    return held.has(permission) ? [] : [`permissions: you do not hold ${permission} yourself`];
  });
}

/** What a key brings to a request: its list, cut to its type's ceiling (which may have been lowered since). */
export function effectiveScopes(scopes: readonly string[], type: ApiKeyType): ReadonlySet<Permission> {
  const ceiling = new Set<string>(TYPE_CEILINGS[type]);
  return new Set(scopes.filter((scope): scope is Permission => isPermission(scope) && ceiling.has(scope)));
}

/**
 * Until when the present secret of a key is accepted beside its next one: for the grace, and never longer than the key itself.
 * Null without a grace.
 */
export function previousKeyEnd(rotatedAt: Date, graceSeconds: number, expiresAt: Date | null): Date | null {
  if (graceSeconds === 0) return null;
  const end = new Date(rotatedAt.getTime() + graceSeconds * 1_000);
  return expiresAt !== null && expiresAt < end ? expiresAt : end;
}
