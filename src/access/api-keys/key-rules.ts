import { isPermission, type Permission, withImplied } from '../../domain/principal/permissions.js';
import { SECOND_MS } from '../../lib/time/durations.js';
import { type ApiKeyType, TYPE_CEILINGS } from './api-key.types.js';

/** The largest number of game servers, and of addresses or ranges, in the restrictions of a key. */
export const MAX_SERVERS = 100;
export const MAX_ADDRESSES = 32;
/** The longest IPv6 address (with an IPv4 address at the end), with a prefix. */
export const MAX_ADDRESS_LENGTH = 49;

const CEILING_SETS: Readonly<Record<ApiKeyType, ReadonlySet<Permission>>> = {
  secret: new Set(TYPE_CEILINGS.secret),
  plugin: new Set(TYPE_CEILINGS.plugin),
  storefront: new Set(TYPE_CEILINGS.storefront),
};

/**
 * The different actions in the scopes of a key, `read` before `write`: the `permissions` of the contract's record. Validating
 * reads, reporting and granting write.
 */
export function actionsOf(scopes: readonly Permission[]): string[] {
  const isWrite = (scope: Permission): boolean =>
    scope.endsWith(':write') || scope === 'servers:report' || scope === 'orders:grant';
  return [...(scopes.every(isWrite) ? [] : ['read']), ...(scopes.some(isWrite) ? ['write'] : [])];
}

/**
 * Why a key cannot get these permissions: one sentence per problem, and one with what the type allows unless it allows them all.
 * @param held the permissions of the caller in the key's shop now
 */
export function scopeProblems(requested: readonly string[], type: ApiKeyType, held: ReadonlySet<Permission>): string[] {
  const ceiling: ReadonlySet<string> = CEILING_SETS[type];
  const problems = requested.flatMap((permission) => {
    if (!isPermission(permission)) return [`permissions: ${permission.slice(0, 40)} is not a known permission`];
    if (!ceiling.has(permission)) return [`permissions: a ${type} key cannot have ${permission}`];
    return held.has(permission) ? [] : [`permissions: you do not have ${permission} yourself`];
  });
  const isOutside = requested.some((permission) => !ceiling.has(permission));
  return isOutside ? [...problems, `permissions: a ${type} key can have ${[...ceiling].join(', ')}`] : problems;
}

/** Why a key cannot expire at this time: one sentence per problem. */
export function expiryProblems(expiresAt: Date | null, now: Date): string[] {
  return expiresAt !== null && expiresAt <= now ? ['expiresAt must be in the future'] : [];
}

/** The permissions of a key in a request: its own ones and what they imply, limited to what its type allows now. */
export function effectiveScopes(scopes: readonly string[], type: ApiKeyType): ReadonlySet<Permission> {
  const ceiling = CEILING_SETS[type];
  return new Set(withImplied(scopes.filter(isPermission)).filter((permission) => ceiling.has(permission)));
}

/**
 * Until when the current secret of a key is accepted beside the next one: during the grace, but not after the key expires.
 * Null without a grace.
 */
export function previousKeyEnd(rotatedAt: Date, graceSeconds: number, expiresAt: Date | null): Date | null {
  if (graceSeconds === 0) return null;
  const end = new Date(rotatedAt.getTime() + graceSeconds * SECOND_MS);
  return expiresAt !== null && expiresAt < end ? expiresAt : end;
}
