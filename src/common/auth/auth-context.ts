import { AppError } from '../errors/app-error.js';
import { type Permission, type Role } from './permissions.js';

/** Who calls: a person with a bearer token, or a key of one shop that acts within its creator's rights. */
export interface AuthContext {
  /** `user:<id>` or `key:<id>`: for logs, buckets and stamps. */
  readonly principal: string;
  readonly kind: 'user' | 'api_key';
  /** The person, or the person who made the key. */
  readonly userId: string;
  /** The session of a bearer token, or the id of the key. */
  readonly credentialId: string;
}

/** A caller inside a shop, with the permissions that hold there for this request. */
export interface ShopContext extends AuthContext {
  readonly shopId: string;
  /** The place in the team, as the guard read it, of the person, or of the person who made the key. */
  readonly memberId: string;
  readonly role: Role;
  readonly permissions: ReadonlySet<Permission>;
  /** The game servers that the caller may act for; null: all of the shop. */
  readonly serverIds: ReadonlySet<string> | null;
}

/** What a key brings along: the one shop that it is for, and its own list within its type's ceiling. */
export interface KeyPrincipal extends AuthContext {
  readonly kind: 'api_key';
  readonly shopId: string;
  readonly scopes: ReadonlySet<Permission>;
  /** The game servers that it is bound to; null: to none in particular. */
  readonly serverIds: ReadonlySet<string> | null;
}

/** Whether the caller owns the shop and came with a bearer token: what only owners may do, no key may. */
export function isOwnerInPerson({ kind, role }: Pick<ShopContext, 'kind' | 'role'>): boolean {
  return kind === 'user' && role === 'owner';
}

/**
 * Checks that the caller may act for a game server. A caller who is limited to servers must name one: no server would mean all.
 * @throws AppError server_access_denied
 */
export function requireServer({ serverIds }: Pick<ShopContext, 'serverIds'>, serverId: string | undefined): void {
  if (serverIds === null) return;
  if (serverId === undefined || !serverIds.has(serverId)) throw new AppError('server_access_denied');
}

declare global {
  // Express' own way to type what middleware attaches to a request.
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace Express {
    interface Request {
      auth?: AuthContext;
    }
  }
}
