/** The one catalogue of permissions, for people and keys. A test compares it with the table in docs/api.md. */
export const PERMISSIONS = {
  'shops:read': "Read the shop's settings",
  'shops:write': "Change the shop's settings and custom domain",
  'team:read': 'See the members of the team and open invitations',
  'team:write': 'Invite, change and remove members',
  'products:read': 'Read products',
  'products:write': 'Create, change and remove products',
  'servers:read': 'Read game servers',
  'servers:report': 'Send the heartbeats of a game server, as a plugin does',
  'servers:write': 'Create, change and remove game servers; implies servers:report',
  'sales:read': 'Read sales',
  'sales:write': 'Plan, change and end sales',
  'discounts:read': 'Read discount codes; implies discounts:validate',
  'discounts:validate': 'Check whether a discount code applies',
  'discounts:write': 'Create, change and remove discount codes',
  'orders:read': 'Read orders; implies deliveries:read and entitlements:read',
  'orders:write': 'Act on orders; implies deliveries:write and servers:report',
  'orders:grant': 'Place orders for players: grants, sales that were paid outside, and rehearsals',
  'deliveries:read': 'See what waits for a plugin, was delivered or failed',
  'deliveries:write': 'Lease and acknowledge deliveries, as a plugin does; implies servers:report',
  'entitlements:read': 'See who owns what until when, as a plugin does',
  'payments:read': 'See payment providers and events',
  'payments:write': 'Configure payment providers, refund, replay events',
  'stats:read': 'Read statistics',
  'stats:write': 'Rebuild statistics',
  'webhooks:read': 'See outgoing webhooks',
  'webhooks:write': 'Configure outgoing webhooks',
} as const satisfies Record<string, string>;

export type Permission = keyof typeof PERMISSIONS;

export const ALL_PERMISSIONS = Object.keys(PERMISSIONS) as readonly Permission[];

export function isPermission(text: string): text is Permission {
  return Object.hasOwn(PERMISSIONS, text);
}

/** The permissions that include another one, so that, for example, who acts on orders needs no second one for their deliveries. */
const INCLUDING: ReadonlyMap<Permission, readonly Permission[]> = new Map([
  ['discounts:read', ['discounts:read', 'discounts:validate']],
  ['orders:read', ['orders:read', 'deliveries:read', 'entitlements:read']],
  ['servers:write', ['servers:write', 'servers:report']],
  ['deliveries:write', ['deliveries:write', 'servers:report']],
  ['orders:write', ['orders:write', 'deliveries:write', 'servers:report']],
]);

/** The other permissions that a permission implies. */
export function impliedBy(permission: Permission): readonly Permission[] {
  return (INCLUDING.get(permission) ?? []).filter((implied) => implied !== permission);
}

/** These permissions with those that they imply. */
export function withImplied(permissions: readonly Permission[]): readonly Permission[] {
  return permissions.flatMap((permission) => INCLUDING.get(permission) ?? permission);
}

/** Gives away what a shop sells: a role has it only when its list names it. */
const GRANT = 'orders:grant' satisfies Permission;

const both = (...resources: string[]): Permission[] =>
  ALL_PERMISSIONS.filter((permission) => permission !== GRANT && resources.includes(permission.split(':')[0] ?? ''));

/**
 * Roles of team members: named sets of permissions. Every role can read the settings of the shop. An admin has every permission of the
 * catalogue. What only an owner may do (closing the shop, transferring the ownership) is not a permission.
 */
export const ROLES = {
  owner: ALL_PERMISSIONS,
  admin: ALL_PERMISSIONS,
  manager: [
    ...both('products', 'servers', 'sales', 'discounts', 'orders', 'deliveries', 'entitlements'),
    'shops:read',
    GRANT,
    'team:read',
    'stats:read',
    'payments:read',
  ],
  support: [
    ...both('orders', 'deliveries', 'entitlements'),
    'shops:read',
    'products:read',
    'servers:read',
    'servers:report',
    'sales:read',
    'discounts:read',
    'discounts:validate',
  ],
  analyst: ['shops:read', 'stats:read', 'orders:read', 'deliveries:read', 'entitlements:read', 'products:read'],
  developer: [...both('servers', 'orders', 'deliveries', 'entitlements', 'webhooks'), 'shops:read', 'products:read'],
} as const satisfies Record<string, readonly Permission[]>;

export type Role = keyof typeof ROLES;

export const ROLE_NAMES = Object.keys(ROLES) as readonly Role[];

/** What each role is for, for people. */
export const ROLE_DESCRIPTIONS: Readonly<Record<Role, string>> = {
  owner: 'Everything, also what no permission allows: close the shop, hand it over',
  admin: 'Everything that a permission allows',
  manager: 'What the shop sells, and its orders; reads team, payments and statistics',
  support: 'Orders and deliveries; reads products, game servers, sales and discount codes',
  analyst: 'Reads statistics, orders and products',
  developer: 'Game servers, webhooks and orders, for those who connect the shop with other systems; reads products',
};

const ROLE_SETS = new Map<Role, ReadonlySet<Permission>>(ROLE_NAMES.map((role) => [role, new Set(ROLES[role])]));

/** The permissions of a role, as a shared set. */
export function permissionsOfRole(role: Role): ReadonlySet<Permission> {
  return ROLE_SETS.get(role) ?? new Set();
}
