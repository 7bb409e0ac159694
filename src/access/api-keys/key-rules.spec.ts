import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ALL_PERMISSIONS, isPermission, type Permission, withImplied } from '../../domain/principal/permissions.js';
import { API_KEY_TYPES, TYPE_CEILINGS } from './api-key.types.js';
import { actionsOf, effectiveScopes, expiryProblems, previousKeyEnd, scopeProblems } from './key-rules.js';

const ALL = new Set(ALL_PERMISSIONS);
const type = fc.constantFrom(...API_KEY_TYPES);
const permissions = fc.subarray([...ALL_PERMISSIONS]);

/** The sentence that ends the problems of a key whose type cannot have one of the permissions. */
const CEILING = {
  plugin:
    'permissions: a plugin key can have products:read, servers:read, servers:report, servers:write, deliveries:read, ' +
    'deliveries:write, entitlements:read, orders:read, orders:write',
  secret: `permissions: a secret key can have ${ALL_PERMISSIONS.join(', ')}`,
};

describe('the permissions of an API key', () => {
  it.each([
    [
      'plugin',
      [
        ...(['products:read', 'servers:read', 'servers:report', 'servers:write'] as const),
        ...(['deliveries:read', 'deliveries:write', 'entitlements:read', 'orders:read', 'orders:write'] as const),
      ],
    ],
    ['storefront', ['shops:read', 'products:read', 'servers:read', 'discounts:validate']],
    ['secret', ALL_PERMISSIONS],
  ] as const)('limits the permissions of a key to those for %s: %j', (kind, ceiling) => {
    expect(TYPE_CEILINGS[kind]).toEqual(ceiling);
    expect(scopeProblems(ceiling, kind, ALL)).toEqual([]);
  });

  it('allows no permission to write for a storefront key, because every visitor can read it', () => {
    expect(TYPE_CEILINGS.storefront.filter((permission) => permission.endsWith(':write'))).toEqual([]);
  });

  it.each([
    [[], 'secret', [], []],
    [['orders:read'], 'secret', ['orders:read'], []],
    [['orders:read'], 'secret', [], ['permissions: you do not have orders:read yourself']],
    [['team:read'], 'plugin', ['team:read'], ['permissions: a plugin key cannot have team:read', CEILING.plugin]],
    [['orders:delete'], 'secret', [], ['permissions: orders:delete is not a known permission', CEILING.secret]],
    [['hasOwnProperty'], 'secret', [], ['permissions: hasOwnProperty is not a known permission', CEILING.secret]],
    [['__proto__'], 'secret', [], ['permissions: __proto__ is not a known permission', CEILING.secret]],
    [
      ['orders:read '],
      'secret',
      ['orders:read'],
      ['permissions: orders:read  is not a known permission', CEILING.secret],
    ],
    [['x'.repeat(80)], 'secret', [], [`permissions: ${'x'.repeat(40)} is not a known permission`, CEILING.secret]],
    [
      ['stats:read', 'nope', 'orders:read'],
      'plugin',
      [],
      [
        'permissions: a plugin key cannot have stats:read',
        'permissions: nope is not a known permission',
        'permissions: you do not have orders:read yourself',
        CEILING.plugin,
      ],
    ],
  ] as const)(
    'checks the permissions %j of a %s key, from a caller with %j, and finds the problems %j',
    (requested, kind, held, problems) => {
      expect(scopeProblems(requested, kind, new Set(held))).toEqual(problems);
    },
  );

  it('rejects permissions of a key unless the catalogue, the type and the permissions of the caller contain them', () => {
    fc.assert(
      fc.property(permissions, type, permissions, (requested, kind, held) => {
        const ceiling: readonly Permission[] = TYPE_CEILINGS[kind];
        const allowed = requested.every((one) => ceiling.includes(one) && held.includes(one));
        return (scopeProblems(requested, kind, new Set(held)).length === 0) === allowed;
      }),
    );
  });
});

describe('the permissions of a request with a stored key', () => {
  it('gives a request with a stored key the permissions of its list that its type allows', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...ALL_PERMISSIONS), fc.string())), type, (scopes, kind) => {
        const effective = effectiveScopes(scopes, kind);
        const ceiling: readonly Permission[] = TYPE_CEILINGS[kind];
        const listed = withImplied(scopes.filter(isPermission));
        return [...effective].every((one) => ceiling.includes(one) && listed.includes(one));
      }),
    );
    expect(effectiveScopes(['team:write', 'servers:read', 'gone:read'], 'plugin')).toEqual(new Set(['servers:read']));
  });

  it('adds the permissions for deliveries to those for orders, and not the other way round', () => {
    const reading = new Set(['orders:read', 'deliveries:read', 'entitlements:read']);
    expect(effectiveScopes(['orders:read'], 'plugin')).toEqual(reading);
    const acting = new Set(['orders:write', 'deliveries:write', 'servers:report']);
    expect(effectiveScopes(['orders:write'], 'secret')).toEqual(acting);
    expect(effectiveScopes(['deliveries:write'], 'plugin')).toEqual(new Set(['deliveries:write', 'servers:report']));
    expect(effectiveScopes(['orders:read', 'orders:write'], 'storefront')).toEqual(new Set());
  });

  it('lets a storefront key with discounts:read validate codes, and not read them', () => {
    expect(effectiveScopes(['discounts:read'], 'storefront')).toEqual(new Set(['discounts:validate']));
    expect(effectiveScopes(['discounts:read'], 'secret')).toEqual(new Set(['discounts:read', 'discounts:validate']));
    expect(effectiveScopes(['discounts:validate'], 'secret')).toEqual(new Set(['discounts:validate']));
  });
});

describe('the end of a key', () => {
  const NOW = new Date(Date.UTC(2026, 10, 21, 12));
  const PROBLEM = 'expiresAt must be in the future';

  it.each([
    [null, []],
    [1, []],
    [0, [PROBLEM]],
    [-1, [PROBLEM]],
  ])('accepts only an expiry in the future or none: %p ms from now has the problems %j', (ms, problems) => {
    expect(expiryProblems(ms === null ? null : new Date(NOW.getTime() + ms), NOW)).toEqual(problems);
  });
});

describe('the end of the previous secret', () => {
  const at = (seconds: number): Date => new Date(Date.UTC(2026, 10, 21, 12) + seconds * 1_000);

  it.each([
    [0, null, null],
    [0, at(60), null],
    [1, null, at(1)],
    [604_800, null, at(604_800)],
    [3_600, at(3_601), at(3_600)],
    [3_600, at(60), at(60)],
  ])(
    'ends the previous secret of a key, with a grace of %d s and the expiry of the key at %p, at %p',
    (graceSeconds, expiresAt, end) => {
      expect(previousKeyEnd(at(0), graceSeconds, expiresAt)).toEqual(end);
    },
  );
});

describe("the actions of the contract's record", () => {
  it.each([
    [[], []],
    [['orders:read', 'team:read'], ['read']],
    [['orders:write'], ['write']],
    [['discounts:validate'], ['read']],
    [['servers:report'], ['write']],
    [
      ['orders:write', 'orders:read', 'team:write'],
      ['read', 'write'],
    ],
  ] as const)("maps the permissions %j to the actions %j of the contract's record", (scopes, actions) => {
    expect(actionsOf(scopes)).toEqual(actions);
  });
});
