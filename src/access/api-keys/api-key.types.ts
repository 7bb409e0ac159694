import { ALL_PERMISSIONS, type Permission } from '../../domain/principal/permissions.js';

export const API_KEY_TYPES = ['secret', 'plugin', 'storefront'] as const;
export type ApiKeyType = (typeof API_KEY_TYPES)[number];

/** What a key of each type is for, for people. */
export const TYPE_DESCRIPTIONS: Readonly<Record<ApiKeyType, string>> = {
  secret: 'For your own servers. It can have every permission of its creator. Keep it secret',
  plugin: 'For a game server. It reads no email address of a buyer',
  storefront: 'For pages in a browser, where everybody can read it. It gets only what everybody can see',
};

/** The permissions that a key of each type can have at most, for every creator. */
export const TYPE_CEILINGS: Readonly<Record<ApiKeyType, readonly Permission[]>> = {
  secret: ALL_PERMISSIONS,
  plugin: [
    ...(['products:read', 'servers:read', 'servers:report', 'servers:write'] as const),
    ...(['deliveries:read', 'deliveries:write', 'entitlements:read', 'orders:read', 'orders:write'] as const),
  ],
  /** Everybody can read such a key in a browser, so it gets the public view only (`ShopContext.publicView`). */
  storefront: ['shops:read', 'products:read', 'servers:read', 'discounts:validate'],
};

export interface ApiKey {
  readonly id: string;
  readonly shopId: string;
  /** The person who created the key. The key never has more permissions than that person. */
  readonly userId: string;
  readonly name: string;
  readonly type: ApiKeyType;
  readonly scopes: readonly Permission[];
  /** The game servers that the key is limited to; null: all servers of the shop. */
  readonly serverIds: readonly string[] | null;
  /** The addresses and CIDR ranges from which the key is accepted; null: from anywhere. */
  readonly ipAllowlist: readonly string[] | null;
  readonly preview: string;
  readonly isActive: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** When the key was last rotated; null: never. */
  readonly rotatedAt: Date | null;
  /** The id of the last rotation (`Creation`); null: never rotated. */
  readonly rotationId: string | null;
  /** Until when the previous secret is accepted too; null: it is not. */
  readonly previousKeyExpiresAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/** A new key as it is stored. */
export type NewApiKey = Pick<
  ApiKey,
  'id' | 'shopId' | 'name' | 'type' | 'scopes' | 'serverIds' | 'ipAllowlist' | 'preview' | 'createdAt' | 'expiresAt'
> & {
  /** SHA-256 of the secret. */
  readonly hash: string;
};

/** The fields of a key that can change; absent fields keep their value. */
export type ApiKeyChange = Partial<Pick<ApiKey, 'name' | 'scopes' | 'serverIds' | 'ipAllowlist'>>;

/** Which keys a list contains; an absent field does not limit it. */
export interface ApiKeyFilter {
  readonly shopId?: string;
  readonly type?: ApiKeyType;
  readonly isActive?: boolean;
}

/** The next secret of a key. */
export interface NextSecret {
  /** SHA-256 of the secret. */
  readonly hash: string;
  readonly preview: string;
  readonly rotationId: string;
  readonly rotatedAt: Date;
  /** Until when the current secret is accepted too; null: it ends at once. */
  readonly previousKeyExpiresAt: Date | null;
}
