import { type Request } from 'express';
import { type AuthContext, type KeyPrincipal } from './auth-context.js';
import { type Permission } from './permissions.js';

/** Turns credentials into principals. Bound by the auth feature. Null means: no valid credential. */
export abstract class CredentialVerifier {
  /**
   * @param address where the request comes from, proxies seen through
   * @throws AppError address_not_allowed for a right key from an address that it does not allow
   */
  abstract verifyApiKey(key: string, address: string | undefined): Promise<KeyPrincipal | null>;
  abstract verifyBearer(request: Request): Promise<AuthContext | null>;
}

/** Who may do what in a shop, now. Bound by the team feature. */
export abstract class ShopAccess {
  /** The permissions of a person in a shop; null when the person is no member. */
  abstract permissionsOf(userId: string, shopId: string): Promise<ReadonlySet<Permission> | null>;
}

/** Which shops exist. Bound by the shops feature. */
export abstract class ShopDirectory {
  abstract exists(shopId: string): Promise<boolean>;
}
