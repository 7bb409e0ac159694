import { describe, expect, it } from '@jest/globals';
import {
  ALL_PERMISSIONS,
  type Permission,
  permissionsOfRole,
  type Role,
  ROLE_NAMES,
} from '../../domain/principal/permissions.js';
import { type Actor, teamRejection } from './team-rules.js';

const BELOW_OWNER = ROLE_NAMES.filter((role) => role !== 'owner');
/** What a role may manage, with a bearer token and with a key that has all permissions of the role. */
const REACH: Readonly<Record<Role, { readonly user: readonly Role[]; readonly api_key: readonly Role[] }>> = {
  owner: { user: ROLE_NAMES, api_key: BELOW_OWNER },
  admin: { user: BELOW_OWNER, api_key: BELOW_OWNER },
  manager: { user: [], api_key: [] },
  support: { user: [], api_key: [] },
  analyst: { user: [], api_key: [] },
  developer: { user: [], api_key: [] },
};
const ACTORS = ROLE_NAMES.flatMap((role) => (['user', 'api_key'] as const).map((kind) => ({ kind, role })));
const WITH_NOBODY = [null, ...ROLE_NAMES];

const inFull = ({ kind, role }: Pick<Actor, 'kind' | 'role'>): Actor => ({
  kind,
  role,
  permissions: permissionsOfRole(role),
});

const READING_ORDERS = ['orders:read', 'deliveries:read', 'entitlements:read'] as const;

describe('who may change whom in a team', () => {
  it.each(ACTORS)(
    'allows a principal of kind $kind with the role $role exactly its changes, for all roles before and after',
    (who) => {
      const reach = REACH[who.role][who.kind];
      for (const before of WITH_NOBODY) {
        for (const after of WITH_NOBODY) {
          const expected =
            reach.length === 0
              ? 'may_not_manage'
              : before !== null && !reach.includes(before)
                ? 'member_above'
                : after !== null && !reach.includes(after)
                  ? 'role_above'
                  : null;
          expect({ before, after, rejection: teamRejection(inFull(who), before, after) }).toEqual({
            before,
            after,
            rejection: expected,
          });
        }
      }
    },
  );

  it.each([
    ['team:write alone', ['team:write'], []],
    [
      'the permissions of an analyst',
      ['team:write', 'shops:read', 'stats:read', ...READING_ORDERS, 'products:read'],
      ['analyst'],
    ],
    [
      'the permissions of support and analyst',
      [
        ...(['team:write', 'shops:read', 'stats:read', ...READING_ORDERS, 'orders:write', 'deliveries:write'] as const),
        ...(['products:read', 'servers:read', 'servers:report', 'sales:read'] as const),
        ...(['discounts:read', 'discounts:validate'] as const),
      ],
      ['support', 'analyst'],
    ],
    [
      'everything but one',
      ALL_PERMISSIONS.filter((one) => one !== 'webhooks:write'),
      ['manager', 'support', 'analyst'],
    ],
    ['everything but team:write', ALL_PERMISSIONS.filter((one) => one !== 'team:write'), null],
  ] as [string, Permission[], Role[] | null][])(
    'allows a key of an owner that has %s only the changes that the permissions of the key cover',
    (_, permissions, reach) => {
      const key: Actor = { kind: 'api_key', role: 'owner', permissions: new Set(permissions) };
      for (const role of ROLE_NAMES) {
        const reached = reach?.includes(role) ?? false;
        expect(teamRejection(key, null, role)).toBe(reach === null ? 'may_not_manage' : reached ? null : 'role_above');
        expect(teamRejection(key, role, null)).toBe(
          reach === null ? 'may_not_manage' : reached ? null : 'member_above',
        );
      }
    },
  );

  it('ignores permissions that the role no longer has, also when the credential was checked before a demotion', () => {
    for (const role of ROLE_NAMES.filter((one) => !permissionsOfRole(one).has('team:write'))) {
      const stale: Actor = { kind: 'user', role, permissions: new Set(ALL_PERMISSIONS) };
      for (const after of ROLE_NAMES) expect(teamRejection(stale, 'support', after)).toBe('may_not_manage');
    }
    const demoted: Actor = { kind: 'user', role: 'admin', permissions: new Set(ALL_PERMISSIONS) };
    expect(teamRejection(demoted, 'owner', 'support')).toBe('member_above');
    expect(teamRejection(demoted, 'admin', 'owner')).toBe('role_above');
  });

  it('allows no role to give a role with more permissions, also not to the caller', () => {
    for (const role of ROLE_NAMES) {
      for (const after of ROLE_NAMES) {
        const more =
          [...permissionsOfRole(after)].some((one) => !permissionsOfRole(role).has(one)) || after === 'owner';
        if (more && role !== 'owner') expect(teamRejection(inFull({ kind: 'user', role }), role, after)).not.toBeNull();
      }
    }
  });
});
