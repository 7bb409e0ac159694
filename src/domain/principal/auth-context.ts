import { AppError } from '../errors/app-error.js';
import { type Permission, type Role } from './permissions.js';

/** Who calls: a person with a bearer token, or a key of one shop with at most the rights of the person who created it. */
export interface AuthContext {
  /** `user:<id>` or `key:<id>`: for logs, rate limits and audit entries. */
  readonly principal: string;
  readonly kind: 'user' | 'api_key';
  /** The person, or the person who created the key. */
  readonly userId: string;
  /** The session of a bearer token, or the id of the key. */
  readonly credentialId: string;
}

/** A caller inside a shop, with the permissions that the caller has there for this request. */
export interface ShopContext extends AuthContext {
  readonly shopId: string;
  /** The membership, as the guard read it, of the person, or of the person who created the key. */
  readonly memberId: string;
  readonly role: Role;
  readonly permissions: ReadonlySet<Permission>;
  /** Whether the caller gets only what everybody may see: a storefront key, which everybody can read in a browser. */
  readonly publicView: boolean;
  /** The game servers that the caller may work with; null: all of the shop. */
  readonly serverIds: ReadonlySet<string> | null;
  /** Whether the caller may read what names a buyer, such as an email address. A plugin key never may. */
  readonly readsBuyers: boolean;
}

/** What a key adds: its one shop, and its own permissions, limited by its type. */
export interface KeyPrincipal extends AuthContext {
  readonly kind: 'api_key';
  readonly shopId: string;
  readonly scopes: ReadonlySet<Permission>;
  /** Whether it is a storefront key. */
  readonly publicView: boolean;
  /** The game servers that the key is bound to; null: it is not bound. */
  readonly serverIds: ReadonlySet<string> | null;
  /** See `ShopContext`. */
  readonly readsBuyers: boolean;
}

/** Whether a caller uses a storefront key. It is in every page of the shop, so it says nothing about who calls. */
export function isStorefront(auth: AuthContext): boolean {
  return 'publicView' in auth && auth.publicView === true;
}

/**
 * Checks that the caller owns the shop and uses a bearer token. No key may do what only owners may do.
 * @param action what they can do, such as `deactivate a shop`, for the message
 * @throws AppError permission_missing
 */
export function requireSignedInOwner({ kind, role }: Pick<ShopContext, 'kind' | 'role'>, action: string): void {
  if (kind === 'user' && role === 'owner') return;
  throw new AppError('permission_missing', { message: `Only an owner with a bearer token can ${action}` });
}

/**
 * Checks that the caller may act for a game server. A caller who is limited to servers must name one: no server would mean all.
 * @throws AppError server_access_denied
 */
export function requireServer({ serverIds }: Pick<ShopContext, 'serverIds'>, serverId: string | undefined): void {
  if (serverIds === null) return;
  if (serverId === undefined || !serverIds.has(serverId)) throw new AppError('server_access_denied');
}

/**
 * Checks that the caller may search by what leads to a buyer.
 * @param criterion what the search is by, such as `a payment`, for the message
 * @throws AppError permission_missing
 */
export function requireReadsBuyers({ readsBuyers }: Pick<ShopContext, 'readsBuyers'>, criterion: string): void {
  if (readsBuyers) return;
  throw new AppError('permission_missing', { message: `A plugin key cannot search by ${criterion}` });
}
