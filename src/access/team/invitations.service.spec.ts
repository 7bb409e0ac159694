import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeAudit } from '../../../test/support/fakes.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { permissionsOfRole, type Role } from '../../domain/principal/permissions.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type RateLimiter } from '../../http/throttling/rate-limiter.js';
import { DAY_MS } from '../../lib/time/durations.js';
import { type Transaction, type Transactions } from '../../infrastructure/database/transactions.js';
import { type MembershipsService } from '../../shops/memberships/memberships.service.js';
import { type UsersService } from '../../accounts/users/users.service.js';
import { type InvitationsRepository } from './invitations.repository.js';
import { InvitationsService } from './invitations.service.js';
import { type TeamEmailsService } from './team-emails.service.js';

const EMAIL = 'helper@example.com';
const KNOWN = 'known@example.com';
const HERE = {} as Transaction;

let sent: { invitationId: string; email: string; role: Role; token: string; days: number }[];
let stored: { email: string; role: Role; tokenHash: string; expiresAt: Date; invitedBy: string; inviterId: string }[];
let audit: FakeAudit;
let counted: string[];
/** The role of an open invitation of the address; null: absent. */
let open: Role | null;
let teamIsFull: boolean;
let areEmailsOff: boolean;
/** Whether the known person becomes a member after the first read of the team. */
let joinsMeanwhile: boolean;
let service: InvitationsService;

beforeEach(() => {
  sent = [];
  stored = [];
  audit = new FakeAudit();
  counted = [];
  open = null;
  [teamIsFull, areEmailsOff] = [false, false];
  joinsMeanwhile = false;
  const invitations = {
    replace: (shopId: string, input: (typeof stored)[number], transaction: Transaction) => {
      expect(transaction).toBe(HERE);
      stored.push(input);
      return Promise.resolve({ invitation: { id: '1', shopId, ...input }, replacedRole: open });
    },
    countOthers: (shopId: string, email: string, now: Date, transaction: Transaction) => {
      expect([shopId, now, transaction]).toEqual(['shop-1', expect.any(Date), HERE]);
      return Promise.resolve(email === EMAIL ? 3 : 4);
    },
    revoke: (shopId: string, id: string, now: Date, transaction: Transaction) => {
      expect([shopId, now, transaction]).toEqual(['shop-1', expect.any(Date), HERE]);
      return Promise.resolve(id === '1' ? { id, shopId, email: EMAIL, role: 'support' } : null);
    },
  } as unknown as InvitationsRepository;
  service = new InvitationsService(
    invitations,
    {
      claimTeam: () => Promise.resolve(),
      requireRoomInTeam: (...call: unknown[]) => {
        expect(call).toEqual(['shop-1', expect.any(Number), HERE]);
        return teamIsFull && call[1] === 3 ? Promise.reject(new AppError('quota_reached')) : Promise.resolve();
      },
      find: (_: string, userId: string, transaction: Transaction | null) => {
        const hasJoined = joinsMeanwhile && transaction === HERE;
        return Promise.resolve(userId === 'user-1' || hasJoined ? {} : null);
      },
    } as unknown as MembershipsService,
    {
      findByEmail: (email: string) =>
        Promise.resolve(email === 'own@example.com' ? { id: 'user-1' } : email === KNOWN ? { id: 'user-2' } : null),
    } as unknown as UsersService,
    {
      requireInvitations: () => {
        if (areEmailsOff) throw new AppError('emails_off');
      },
      invited: (_: string, email: string, offer: Omit<(typeof sent)[number], 'email'>) =>
        void sent.push({ email, ...offer }),
    } as unknown as TeamEmailsService,
    {
      consume: (name: string, subject: string) => {
        counted.push(`${name} ${subject}`);
        return Promise.resolve();
      },
    } as unknown as RateLimiter,
    audit.asService,
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
    publicView: false,
    readsBuyers: true,
  };
};

describe('inviting', () => {
  it('sends the token, stores only its hash for seven days with the sender, and writes an audit entry', async () => {
    const invitation = await service.invite(as('owner', 'api_key'), EMAIL, 'support');
    const token = sent[0]?.token ?? '';
    expect(token).toMatch(/^shi_[\w-]{43}$/);
    expect(sent).toEqual([{ invitationId: invitation.id, email: EMAIL, role: 'support', token, days: 7 }]);
    expect(stored).toEqual([
      expect.objectContaining({
        tokenHash: sha256(token),
        invitedBy: 'api_key:1',
        inviterId: 'user-1',
        inviterKeyId: '1',
      }),
    ]);
    expect(JSON.stringify([stored, invitation, audit.entries])).not.toContain(token);
    expect((invitation.expiresAt.getTime() - Date.now()) / DAY_MS).toBeCloseTo(7, 3);
    expect(audit.entries).toEqual([
      {
        author: as('owner', 'api_key'),
        action: 'member.invited',
        subjectId: '1',
        changes: [
          { field: 'email', before: null, after: EMAIL },
          { field: 'role', before: null, after: 'support' },
        ],
      },
    ]);
  });

  it('accepts the address of a person who has an account and is not a member', async () => {
    await service.invite(as('owner'), KNOWN, 'owner');
    expect(counted).toEqual([`invitationAddress ${KNOWN}`]);
    expect(sent).toMatchObject([{ email: KNOWN, role: 'owner' }]);
  });

  it('writes the role of the replaced invitation to the audit log', async () => {
    open = 'admin';
    await service.invite(as('admin'), EMAIL, 'support');
    expect(stored).toMatchObject([{ role: 'support', inviterKeyId: null }]);
    expect(audit.entries[0]?.changes).toContainEqual({ field: 'role', before: 'admin', after: 'support' });
  });

  it('stores, records and sends nothing when the team and the other open invitations reach the quota', async () => {
    teamIsFull = true;
    await expect(service.invite(as('owner'), EMAIL, 'support')).rejects.toMatchObject({ code: 'quota_reached' });
    expect([stored, sent, audit.entries]).toEqual([[], [], []]);
  });

  it('stores, records and counts nothing when emails are off', async () => {
    areEmailsOff = true;
    await expect(service.invite(as('owner'), EMAIL, 'support')).rejects.toMatchObject({ code: 'emails_off' });
    expect([stored, sent, audit.entries, counted]).toEqual([[], [], [], []]);
  });

  it('stores, records and sends nothing when the person becomes a member meanwhile', async () => {
    joinsMeanwhile = true;
    await expect(service.invite(as('owner'), KNOWN, 'support')).rejects.toMatchObject({ code: 'already_member' });
    expect([stored, sent, audit.entries]).toEqual([[], [], []]);
  });

  it('keeps an invitation that the caller could not have sent', async () => {
    open = 'owner';
    await expect(service.invite(as('admin'), EMAIL, 'support')).rejects.toMatchObject({
      code: 'permission_missing',
      message: 'The open invitation of this address is for a role with permissions that you do not have',
    });
    expect([sent, audit.entries]).toEqual([[], []]);
  });

  it.each([
    ['a role with more permissions', () => as('admin'), EMAIL, 'permission_not_grantable'],
    ['the role of an owner, by a key', () => as('owner', 'api_key'), EMAIL, 'permission_not_grantable'],
    ['any role, without team:write', () => as('manager'), EMAIL, 'permission_missing'],
    ['the address of a member', () => as('owner'), 'own@example.com', 'already_member'],
  ] as const)('rejects %s, and stores and sends nothing', async (_, context, email, code) => {
    await expect(service.invite(context(), email, 'owner')).rejects.toMatchObject({ code });
    expect([stored, sent, audit.entries, counted]).toEqual([[], [], [], []]);
  });
});

describe('revoking an invitation', () => {
  it('ends an invitation and writes its address and role to the audit log, in the same transaction', async () => {
    const revoked = await service.revoke(as('admin'), '1');
    expect(revoked).toEqual({ id: '1', shopId: 'shop-1', email: EMAIL, role: 'support' });
    expect(audit.entries).toEqual([
      {
        author: as('admin'),
        action: 'invitation.revoked',
        subjectId: '1',
        changes: [
          { field: 'email', before: EMAIL, after: null },
          { field: 'role', before: 'support', after: null },
        ],
      },
    ]);
    expect(audit.transactions).toEqual([HERE]);
  });

  it('rejects an invitation that the shop does not have, or that has ended', async () => {
    await expect(service.revoke(as('admin'), '2')).rejects.toMatchObject({ code: 'invitation_not_found' });
    expect(audit.entries).toEqual([]);
  });
});
