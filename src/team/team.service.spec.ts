import { beforeEach, describe, expect, it } from '@jest/globals';
import { type ShopContext } from '../common/auth/auth-context.js';
import { permissionsOfRole, type Role, ROLE_NAMES } from '../common/auth/permissions.js';
import { sha256 } from '../common/crypto/keyed-hash.js';
import { type Transactions } from '../database/transactions.js';
import { type Mail, type MailService } from '../mail/mail.service.js';
import { type ShopsService } from '../shops/shops.service.js';
import { type UsersService } from '../users/users.service.js';
import { type InvitationsRepository } from './invitations.repository.js';
import { type MembershipsService } from '../memberships/memberships.service.js';
import { TeamService } from './team.service.js';

const EMAIL = 'helper@example.com';

let sent: Mail[];
let stored: { email: string; role: Role; tokenHash: string; expiresAt: Date }[];
let ownRole: Role;
let service: TeamService;

beforeEach(() => {
  sent = [];
  stored = [];
  const invitations = {
    replace: (shopId: string, input: (typeof stored)[number]) => {
      stored.push(input);
      return Promise.resolve({ id: '1', shopId, email: input.email, role: input.role, expiresAt: input.expiresAt });
    },
  } as unknown as InvitationsRepository;
  service = new TeamService(
    {
      isOwnerInPerson: ({ kind }: ShopContext) => Promise.resolve(kind === 'user' && ownRole === 'owner'),
    } as unknown as MembershipsService,
    invitations,
    {} as UsersService,
    { settingsOf: () => Promise.resolve({ displayName: 'Sky Realm' }) } as unknown as ShopsService,
    { post: (mail: Mail) => void sent.push(mail) } as unknown as MailService,
    {} as Transactions,
  );
});

const as = (role: Role, kind: ShopContext['kind'] = 'user'): ShopContext => {
  ownRole = role;
  const permissions = permissionsOfRole(role);
  return {
    principal: `${kind}:1`,
    kind,
    userId: 'user-1',
    credentialId: '1',
    shopId: 'shop-1',
    permissions,
    serverIds: null,
  };
};

describe('inviting', () => {
  it('mails the token and keeps its hash for seven days', async () => {
    const invitation = await service.invite(as('owner'), EMAIL, 'support');
    const token = /shi_[\w-]{43}/.exec(sent[0]?.text ?? '')?.[0] ?? '';
    expect(sent).toEqual([expect.objectContaining({ to: EMAIL, subject: 'Invitation to the team of Sky Realm' })]);
    expect(stored[0]?.tokenHash).toBe(sha256(token));
    expect(JSON.stringify([stored, invitation])).not.toContain(token);
    expect((invitation.expiresAt.getTime() - Date.now()) / 86_400_000).toBeCloseTo(7, 3);
  });

  it.each([
    ['owner', ROLE_NAMES],
    ['admin', ['admin', 'manager', 'support', 'analyst', 'developer']],
    ['manager', ['manager', 'support', 'analyst']],
    ['support', ['support']],
    ['analyst', ['analyst']],
    ['developer', ['developer']],
  ] as const)('as %s grants %j and nothing above: nobody grants what they lack', async (own, grantable) => {
    for (const role of ROLE_NAMES) {
      const invited = service.invite(as(own), EMAIL, role);
      if ((grantable as readonly Role[]).includes(role)) expect(await invited).toMatchObject({ role });
      else await expect(invited).rejects.toMatchObject({ code: 'permission_not_grantable' });
    }
    expect(sent).toHaveLength(grantable.length);
  });

  it("with an owner's key grants every role but ownership", async () => {
    const key = as('owner', 'api_key');
    await expect(service.invite(key, EMAIL, 'owner')).rejects.toMatchObject({ code: 'permission_not_grantable' });
    expect(await service.invite(key, EMAIL, 'admin')).toMatchObject({ role: 'admin' });
    expect(sent).toHaveLength(1);
  });
});
