import { type Request } from 'express';
import { type AuthContext, type KeyPrincipal } from './auth-context.js';
import { type Permission, type Role } from './permissions.js';

/** Turns credentials into principals. Bound by the auth feature. Null means: no valid credential. */
export abstract class CredentialVerifier {
  /**
   * @param address where the request comes from, proxies seen through
   * @throws AppError address_not_allowed for a right key from an address that it does not allow
   */
  abstract verifyApiKey(key: string, address: string | undefined): Promise<KeyPrincipal | null>;
  abstract verifyBearer(request: Request): Promise<AuthContext | null>;
}

/** A person's place in a shop's team, and what it lets them do. */
export interface Membership {
  readonly memberId: string;
  readonly role: Role;
  readonly permissions: ReadonlySet<Permission>;
}

/** Who may do what in a shop, now. Bound by the team feature. */
export abstract class ShopAccess {
  /** The place of a person in a shop; null when the person is no member. */
  abstract membershipOf(userId: string, shopId: string): Promise<Membership | null>;
}

/** Which shops exist. Bound by the shops feature. */
export abstract class ShopDirectory {
  abstract exists(shopId: string): Promise<boolean>;
}
