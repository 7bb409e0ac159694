import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP, shopContext, USER } from '../../../test/support/contexts.js';
import { type Call, directTransactions, FakeAudit, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { memberWith, userWith } from '../../../test/support/members.js';
import { type ApiKeysService } from '../api-keys/api-keys.service.js';
import { type AuthContext } from '../../domain/principal/auth-context.js';
import { type Permission, permissionsOfRole } from '../../domain/principal/permissions.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type Member } from '../../shops/memberships/member.types.js';
import { type MembershipsService } from '../../shops/memberships/memberships.service.js';
import { type User } from '../../accounts/users/user.types.js';
import { type UsersService } from '../../accounts/users/users.service.js';
import { InvitationRepliesService } from './invitation-replies.service.js';
import { type Invitation } from './invitation.types.js';
import { type InvitationsRepository } from './invitations.repository.js';
import { type TeamEmailsService } from './team-emails.service.js';

const { principal, kind, userId, credentialId } = shopContext();
const AUTH: AuthContext = { principal, kind, userId, credentialId };
const TOKEN = 'shi_token';
const SENDER = '655f1c2ab1e4a9d3f0c81237';
const KEY = '655f1c2ab1e4a9d3f0c81240';
const INVITATION: Invitation = {
  id: '655f1c2ab1e4a9d3f0c81250',
  shopId: SHOP,
  email: userWith().email,
  role: 'manager',
  invitedBy: `user:${SENDER}`,
  inviterId: SENDER,
  inviterKeyId: null,
  expiresAt: new Date('2026-11-28T12:00:00.000Z'),
};
const JOINED = memberWith({ role: 'manager' });

let calls: Call[];
let audit: FakeAudit;
let user: User | null;
let invitation: Invitation | null;
let sender: Member | null;
/** The rights of the key that invited. */
let rights: { scopes: ReadonlySet<Permission>; serverIds: ReadonlySet<string> | null } | null;
let isMember: boolean;
let service: InvitationRepliesService;

beforeEach(() => {
  calls = [];
  audit = new FakeAudit();
  user = userWith();
  invitation = INVITATION;
  sender = memberWith({ id: '655f1c2ab1e4a9d3f0c81236', userId: SENDER });
  rights = { scopes: permissionsOfRole('admin'), serverIds: null };
  isMember = false;
  service = new InvitationRepliesService(
    recording<InvitationsRepository>(calls, {
      take: () => Promise.resolve(invitation),
      findByToken: () => Promise.resolve(invitation),
    }),
    recording<MembershipsService>(calls, {
      find: () => Promise.resolve(sender),
      join: () => (isMember ? Promise.reject(new AppError('already_member')) : Promise.resolve(JOINED)),
    }),
    recording<UsersService>(calls, {
      findById: () => Promise.resolve(user),
      proveEmail: () => Promise.resolve(),
    }),
    recording<ApiKeysService>(calls, { rightsOf: () => Promise.resolve(rights) }),
    audit.asService,
    recording<TeamEmailsService>(calls, { ownerAdded: () => Promise.resolve() }),
    directTransactions,
  );
});

const TAKEN: readonly Call[] = [
  ['findById', USER, TRANSACTION],
  ['take', sha256(TOKEN), userWith().email, expect.any(Date), TRANSACTION],
  ['proveEmail', USER, TRANSACTION],
];

describe('find', () => {
  it('finds an open invitation by the hash of its token', async () => {
    expect(await service.find(TOKEN)).toBe(INVITATION);
  });
});

describe('accept', () => {
  it('uses the invitation, stores that the address is verified, and adds the member, in one transaction', async () => {
    expect(await service.accept(AUTH, TOKEN)).toBe(INVITATION);
    expect(calls).toEqual([
      ...TAKEN,
      ['find', SHOP, SENDER, TRANSACTION],
      ['join', SHOP, { userId: USER, role: 'manager', addedBy: `user:${SENDER}` }, TRANSACTION],
    ]);
    expect(audit.entries).toEqual([
      {
        author: { shopId: SHOP, principal },
        action: 'member.joined',
        subjectId: JOINED.id,
        changes: [{ field: 'role', before: null, after: 'manager' }],
      },
    ]);
    expect(audit.transactions).toEqual([TRANSACTION]);
  });

  it('accepts the invitation of a key that may still give the role', async () => {
    invitation = { ...INVITATION, invitedBy: `key:${KEY}`, inviterKeyId: KEY };
    await service.accept(AUTH, TOKEN);
    expect(calls).toContainEqual(['join', SHOP, { userId: USER, role: 'manager', addedBy: `key:${KEY}` }, TRANSACTION]);
  });

  it('accepts the invitation of an owner to be an owner, and emails the owners', async () => {
    invitation = { ...INVITATION, role: 'owner' };
    sender = memberWith({ userId: SENDER, role: 'owner' });
    await service.accept(AUTH, TOKEN);
    expect(calls).toContainEqual(['ownerAdded', SHOP, USER, TRANSACTION]);
  });

  it.each([
    ['a sender who is no longer a member', () => (sender = null)],
    ['a sender who no longer has the permissions of the role', () => (sender = memberWith({ role: 'support' }))],
  ])('rejects the invitation of %s', async (_, change) => {
    change();
    await rejectsTheSender();
  });

  it.each([
    ['was revoked', () => (rights = null)],
    ['is now limited to game servers', () => (rights = { scopes: permissionsOfRole('admin'), serverIds: new Set() })],
    ['no longer has team:write', () => (rights = { scopes: permissionsOfRole('manager'), serverIds: null })],
    ['belongs to a person who lost team:write', () => (sender = memberWith({ role: 'manager' }))],
    ['invites an owner', () => (invitation = { ...INVITATION, inviterKeyId: KEY, role: 'owner' })],
  ])('rejects the invitation of a key that %s', async (_, change) => {
    invitation = { ...INVITATION, inviterKeyId: KEY };
    change();
    await rejectsTheSender();
  });

  it('records nothing when the person is a member already', async () => {
    isMember = true;
    await expect(service.accept(AUTH, TOKEN)).rejects.toMatchObject({ code: 'already_member' });
    expect(audit.entries).toEqual([]);
  });

  const rejectsTheSender = async (): Promise<void> => {
    await expect(service.accept(AUTH, TOKEN)).rejects.toMatchObject({
      code: 'invitation_invalid',
      message: 'The sender of the invitation can no longer assign this role; ask for a new invitation',
    });
    expect(calls.filter(([name]) => name === 'join')).toEqual([]);
    expect(audit.entries).toEqual([]);
  };
});

describe('decline', () => {
  it('uses the invitation and records its end, also when the sender may no longer invite', async () => {
    sender = null;
    expect(await service.decline(AUTH, TOKEN)).toBe(INVITATION);
    expect(calls).toEqual(TAKEN);
    expect(audit.entries).toEqual([
      {
        author: { shopId: SHOP, principal },
        action: 'member.declined',
        subjectId: INVITATION.id,
        changes: [
          { field: 'email', before: INVITATION.email, after: null },
          { field: 'role', before: 'manager', after: null },
        ],
      },
    ]);
    expect(audit.transactions).toEqual([TRANSACTION]);
  });
});

describe.each(['accept', 'decline'] as const)('%s', (reply) => {
  it.each([
    ['an account that no longer exists', () => (user = null)],
    ['a token that is not of an open invitation of this address', () => (invitation = null)],
  ])('rejects a reply with %s', async (_, change) => {
    change();
    await expect(service[reply](AUTH, TOKEN)).rejects.toMatchObject({ code: 'invitation_invalid' });
    expect(calls.map(([name]) => name)).not.toContain('proveEmail');
    expect(audit.entries).toEqual([]);
  });
});
