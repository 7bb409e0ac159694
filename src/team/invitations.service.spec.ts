import { beforeEach, describe, expect, it } from '@jest/globals';
import { type AuditedWrite, type AuditService } from '../audit/audit.service.js';
import { type ShopContext } from '../common/auth/auth-context.js';
import { permissionsOfRole, type Role } from '../common/auth/permissions.js';
import { sha256 } from '../common/crypto/keyed-hash.js';
import { type RateLimiter } from '../common/throttling/rate-limiter.js';
import { type Transaction, type Transactions } from '../database/transactions.js';
import { type MembershipsService } from '../memberships/memberships.service.js';
import { type UsersService } from '../users/users.service.js';
import { type InvitationsRepository } from './invitations.repository.js';
import { InvitationsService } from './invitations.service.js';
import { type TeamMailsService } from './team-mails.service.js';

const EMAIL = 'helper@example.com';
const KNOWN = 'known@example.com';
const HERE = {} as Transaction;

let mailed: { email: string; role: Role; token: string; days: number }[];
let stored: { email: string; role: Role; tokenHash: string; expiresAt: Date; invitedBy: string; inviterId: string }[];
let audited: AuditedWrite[];
let counted: string[];
/** For which role the address is invited already. */
let open: Role | null;
let service: InvitationsService;

beforeEach(() => {
  mailed = [];
  stored = [];
  audited = [];
  counted = [];
  open = null;
  const invitations = {
    replace: (shopId: string, input: (typeof stored)[number], transaction: Transaction) => {
      expect(transaction).toBe(HERE);
      stored.push(input);
      return Promise.resolve({ made: { id: '1', shopId, ...input }, before: open });
    },
  } as unknown as InvitationsRepository;
  service = new InvitationsService(
    invitations,
    {
      claimTeam: () => Promise.resolve(),
      find: (_: string, userId: string) => Promise.resolve(userId === 'user-1' ? {} : null),
    } as unknown as MembershipsService,
    {
      findByEmail: (email: string) =>
        Promise.resolve(email === 'own@example.com' ? { id: 'user-1' } : email === KNOWN ? { id: 'user-2' } : null),
    } as unknown as UsersService,
    {
      invited: (_: string, email: string, role: Role, token: string, days: number) =>
        void mailed.push({ email, role, token, days }),
    } as unknown as TeamMailsService,
    {
      consume: (name: string, subject: string) => {
        counted.push(`${name} ${subject}`);
        return Promise.resolve();
      },
    } as unknown as RateLimiter,
    {
      record: (_: ShopContext, write: AuditedWrite, transaction: Transaction) => {
        expect(transaction).toBe(HERE);
        audited.push(write);
        return Promise.resolve();
      },
    } as unknown as AuditService,
    { run: (work: (transaction: Transaction) => Promise<unknown>) => work(HERE) } as Transactions,
  );
});

const as = (role: Role, kind: ShopContext['kind'] = 'user'): ShopContext => {
  return {
    principal: `${kind}:1`,
    kind,
    userId: 'user-1',
    credentialId: '1',
    shopId: 'shop-1',
    memberId: 'member-1',
    role,
    permissions: permissionsOfRole(role),
    serverIds: null,
  };
};

describe('inviting', () => {
  it('mails the token, keeps its hash for seven days with who sent it, and audits it in the same transaction', async () => {
    const invitation = await service.invite(as('owner', 'api_key'), EMAIL, 'support');
    const token = mailed[0]?.token ?? '';
    expect(token).toMatch(/^shi_[\w-]{43}$/);
    expect(mailed).toEqual([{ email: EMAIL, role: 'support', token, days: 7 }]);
    expect(stored).toEqual([
      expect.objectContaining({
        tokenHash: sha256(token),
        invitedBy: 'api_key:1',
        inviterId: 'user-1',
        inviterKeyId: '1',
      }),
    ]);
    expect(JSON.stringify([stored, invitation, audited])).not.toContain(token);
    expect((invitation.expiresAt.getTime() - Date.now()) / 86_400_000).toBeCloseTo(7, 3);
    expect(audited).toEqual([
      {
        action: 'member.invited',
        subjectId: '1',
        changes: [
          { field: 'email', before: null, after: EMAIL },
          { field: 'role', before: null, after: 'support' },
        ],
      },
    ]);
  });

  it('takes somebody who has an account and is no member for a stranger', async () => {
    await service.invite(as('owner'), KNOWN, 'owner');
    expect(counted).toEqual([`invitationAddress ${KNOWN}`]);
    expect(mailed).toMatchObject([{ email: KNOWN, role: 'owner' }]);
  });

  it('tells the audit log which role an earlier invitation was for', async () => {
    open = 'admin';
    await service.invite(as('admin'), EMAIL, 'support');
    expect(stored).toMatchObject([{ role: 'support', inviterKeyId: null }]);
    expect(audited[0]?.changes).toContainEqual({ field: 'role', before: 'admin', after: 'support' });
  });

  it('replaces none that the caller could not have sent', async () => {
    open = 'owner';
    await expect(service.invite(as('admin'), EMAIL, 'support')).rejects.toMatchObject({ code: 'permission_missing' });
    expect([mailed, audited]).toEqual([[], []]);
  });

  it.each([
    ['a role above the own', () => as('admin'), EMAIL, 'permission_not_grantable'],
    ['ownership, with a key', () => as('owner', 'api_key'), EMAIL, 'permission_not_grantable'],
    ['anything, without team:write', () => as('manager'), EMAIL, 'permission_missing'],
    ['a member', () => as('owner'), 'own@example.com', 'already_member'],
  ] as const)('refuses %s, and neither stores nor mails a thing', async (_, context, email, code) => {
    await expect(service.invite(context(), email, 'owner')).rejects.toMatchObject({ code });
    expect([stored, mailed, audited, counted]).toEqual([[], [], [], []]);
  });
});
