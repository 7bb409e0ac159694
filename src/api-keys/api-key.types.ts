import { ALL_PERMISSIONS, type Permission } from '../common/auth/permissions.js';

export const API_KEY_TYPES = ['secret', 'plugin', 'storefront'] as const;
export type ApiKeyType = (typeof API_KEY_TYPES)[number];

/** The most that a key of a type may hold, whoever makes it. */
export const TYPE_CEILINGS: Readonly<Record<ApiKeyType, readonly Permission[]>> = {
  secret: ALL_PERMISSIONS,
  plugin: ['products:read', 'servers:read', 'servers:write', 'orders:read', 'orders:write'],
  storefront: ['shops:read', 'products:read', 'servers:read', 'discounts:read'],
};

export interface ApiKey {
  readonly id: string;
  readonly shopId: string;
  /** The person whose rights bound the key's. */
  readonly userId: string;
  readonly name: string;
  readonly type: ApiKeyType;
  readonly scopes: readonly Permission[];
  /** The game servers of its shop that it may act for; null: all. */
  readonly serverIds: readonly string[] | null;
  /** The addresses and ranges that it is accepted from; null: from anywhere. */
  readonly ipAllowlist: readonly string[] | null;
  readonly preview: string;
  readonly isActive: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** When it got its present secret; null: never another one than the first. */
  readonly rotatedAt: Date | null;
  /** Until when the secret before the present one is accepted too; null: it is not. */
  readonly previousKeyExpiresAt: Date | null;
  readonly lastUsedAt: Date | null;
}
