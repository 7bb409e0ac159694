import { describe, expect, it } from '@jest/globals';
import {
  ALL_PERMISSIONS,
  isPermission,
  PERMISSIONS,
  permissionsOfRole,
  type Role,
  ROLE_NAMES,
  ROLES,
  withImplied,
} from './permissions.js';

const RESOURCES = [
  ...['shops', 'team', 'products', 'servers', 'sales', 'discounts'],
  ...['orders', 'deliveries', 'payments', 'stats', 'webhooks'],
];

describe('the catalogue of permissions', () => {
  it('contains read and write of each resource, the validation of discount codes, the reports of game servers, grants and the reading of entitlements, each with a description, and nothing else', () => {
    const expected = RESOURCES.flatMap((resource) => [`${resource}:read`, `${resource}:write`]);
    expect([...ALL_PERMISSIONS].sort()).toEqual(
      [...expected, 'discounts:validate', 'entitlements:read', 'orders:grant', 'servers:report'].sort(),
    );
    for (const description of Object.values(PERMISSIONS)) expect(description).toMatch(/^[A-Z][^.]{9,}$/);
  });

  it.each(['', 'orders', 'orders:', ':read', 'orders:delete', 'Orders:read', 'toString', '__proto__', 'constructor'])(
    'rejects %j as a permission',
    (text) => expect(isPermission(text)).toBe(false),
  );
});

describe('roles', () => {
  it.each([
    ['owner', ALL_PERMISSIONS],
    ['admin', ALL_PERMISSIONS],
    [
      'manager',
      [
        'shops:read',
        'team:read',
        'products:read',
        'products:write',
        'servers:read',
        'servers:report',
        'servers:write',
        'sales:read',
        'sales:write',
        'discounts:read',
        'discounts:validate',
        'discounts:write',
        'orders:read',
        'orders:write',
        'orders:grant',
        'deliveries:read',
        'deliveries:write',
        'entitlements:read',
        'payments:read',
        'stats:read',
      ],
    ],
    [
      'support',
      [
        'shops:read',
        ...(['products:read', 'servers:read', 'servers:report', 'sales:read'] as const),
        ...(['discounts:read', 'discounts:validate'] as const),
        ...(['orders:read', 'orders:write', 'deliveries:read', 'deliveries:write', 'entitlements:read'] as const),
      ],
    ],
    ['analyst', ['shops:read', 'products:read', 'orders:read', 'deliveries:read', 'entitlements:read', 'stats:read']],
    [
      'developer',
      [
        'shops:read',
        'products:read',
        'servers:read',
        'servers:report',
        'servers:write',
        'orders:read',
        'orders:write',
        'deliveries:read',
        'deliveries:write',
        'entitlements:read',
        'webhooks:read',
        'webhooks:write',
      ],
    ],
  ] as const)('allows %s exactly %j', (role, permissions) => {
    expect([...permissionsOfRole(role)].sort()).toEqual([...permissions].sort());
    expect(new Set(ROLES[role]).size).toBe(ROLES[role].length);
  });

  it('defines six roles, and gives no permission to any other name', () => {
    expect(ROLE_NAMES).toEqual(['owner', 'admin', 'manager', 'support', 'analyst', 'developer']);
    for (const word of ['root', '__proto__', 'constructor', '']) expect(permissionsOfRole(word as Role).size).toBe(0);
  });

  it('adds to a role the permissions that its permissions imply: those for deliveries follow from those for orders', () => {
    const acting = ['orders:write', 'deliveries:write', 'servers:report'];
    expect(withImplied(['orders:write', 'team:read'])).toEqual([...acting, 'team:read']);
    expect(withImplied(['orders:read'])).toEqual(['orders:read', 'deliveries:read', 'entitlements:read']);
    expect(withImplied(['deliveries:read'])).toEqual(['deliveries:read']);
    for (const permission of ['deliveries:write', 'servers:write'] as const) {
      expect(withImplied([permission])).toEqual([permission, 'servers:report']);
    }
    for (const role of ROLE_NAMES) {
      const held = permissionsOfRole(role);
      for (const permission of withImplied([...held])) expect(held).toContain(permission);
    }
  });

  it('includes the permission to read with each permission to write', () => {
    for (const role of ROLE_NAMES) {
      const held = permissionsOfRole(role);
      for (const permission of held) expect(held).toContain(permission.replace(':write', ':read'));
    }
  });
});
