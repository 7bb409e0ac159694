import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP, shopContext, USER } from '../../../test/support/contexts.js';
import { type Call, directTransactions, FakeAudit, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { memberWith, userWith } from '../../../test/support/members.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type Member } from '../../shops/memberships/member.types.js';
import { type MembershipsService } from '../../shops/memberships/memberships.service.js';
import { type UsersService } from '../../accounts/users/users.service.js';
import { type DeparturesService } from './departures.service.js';
import { type Invitation } from './invitation.types.js';
import { type InvitationsRepository } from './invitations.repository.js';
import { type TeamEmailsService } from './team-emails.service.js';
import { TeamService } from './team.service.js';

const OWNER = shopContext();
const SELF = memberWith();
const HELPER = memberWith({ id: '655f1c2ab1e4a9d3f0c81236', userId: '655f1c2ab1e4a9d3f0c81237', role: 'support' });
const HELPER_USER = userWith({ id: HELPER.userId, email: 'helper@example.com' });
const INVITATION = { id: 'invitation' } as Invitation;

/** The writes of the team, and the emails, in the order of the calls. */
let calls: Call[];
let reads: Call[];
let audit: FakeAudit;
let members: Member[];
/** The accounts that exist. */
let users: (typeof HELPER_USER)[];
/** The error that a change of a membership throws; null: none. */
let rejection: AppError | null;
let service: TeamService;

beforeEach(() => {
  [calls, reads] = [[], []];
  audit = new FakeAudit();
  members = [SELF, HELPER];
  users = [userWith(), HELPER_USER];
  rejection = null;
  const write = <Result>(result: Result): Promise<Result> =>
    rejection === null ? Promise.resolve(result) : Promise.reject(rejection);
  const memberships = {
    ...recording<MembershipsService>(reads, {
      list: () => Promise.resolve(members),
      // In another order than the ids: the service must not depend on it.
      findByIds: (shopId, ids) =>
        Promise.resolve(members.filter(({ id, shopId: owner }) => owner === shopId && ids.includes(id)).reverse()),
    }),
    ...recording<MembershipsService>(calls, {
      changeRole: (member, role) => write({ ...member, role }),
    }),
  } as MembershipsService;
  service = new TeamService(
    memberships,
    recording<InvitationsRepository>(reads, { listOpen: () => Promise.resolve([INVITATION]) }),
    recording<UsersService>([], {
      byIds: (ids) =>
        Promise.resolve(new Map(users.filter(({ id }) => ids.includes(id)).map((user) => [user.id, user]))),
      findById: (id) => Promise.resolve(users.find((user) => user.id === id) ?? null),
    }),
    recording<DeparturesService>(calls, { end: () => write(undefined) }),
    recording<TeamEmailsService>(calls, {
      removed: () => Promise.resolve(),
      ownerAdded: () => Promise.resolve(),
      ownershipTransferred: () => Promise.resolve(),
    }),
    audit.asService,
    directTransactions,
  );
});

const nothingIsWritten = (): void => {
  expect([calls, audit.entries]).toEqual([[], []]);
};

describe('list', () => {
  it('returns the members of the shop with their accounts, and the open invitations', async () => {
    users = [HELPER_USER];
    expect(await service.list(OWNER)).toEqual({
      members: [
        { member: SELF, user: undefined },
        { member: HELPER, user: HELPER_USER },
      ],
      invitations: [INVITATION],
    });
    expect(reads).toEqual([
      ['list', SHOP, null],
      ['listOpen', SHOP, expect.any(Date)],
    ]);
  });
});

describe('changeRole', () => {
  it('changes the role, records it in the same transaction, and returns the member with the account', async () => {
    const changed = { ...HELPER, role: 'manager' };
    expect(await service.changeRole(OWNER, HELPER.id, 'manager')).toEqual({ member: changed, user: HELPER_USER });
    expect(calls).toEqual([['changeRole', HELPER, 'manager', OWNER.principal, TRANSACTION]]);
    expect(audit.entries).toEqual([
      {
        author: OWNER,
        action: 'member.role_changed',
        subjectId: HELPER.id,
        changes: [{ field: 'role', before: 'support', after: 'manager' }],
      },
    ]);
    expect(audit.transactions).toEqual([TRANSACTION]);
  });

  it('emails the owners about one more owner, in the same transaction', async () => {
    await service.changeRole(OWNER, HELPER.id, 'owner');
    expect(calls).toEqual([
      ['changeRole', HELPER, 'owner', OWNER.principal, TRANSACTION],
      ['ownerAdded', SHOP, HELPER.userId, TRANSACTION],
    ]);
  });

  it('writes nothing when the member has the role already', async () => {
    expect(await service.changeRole(OWNER, HELPER.id, 'support')).toEqual({ member: HELPER, user: HELPER_USER });
    nothingIsWritten();
  });

  it('returns a member whose account no longer exists', async () => {
    users = [];
    const { user } = await service.changeRole(OWNER, HELPER.id, 'manager');
    expect(user).toBeUndefined();
  });

  it.each([
    ['a member of another shop', OWNER, '0'.repeat(24), 'manager', 'member_not_found'],
    ['a caller without team:write', shopContext('manager'), HELPER.id, 'support', 'permission_missing'],
    [
      'a role with more permissions than the caller has',
      shopContext('admin'),
      HELPER.id,
      'owner',
      'permission_not_grantable',
    ],
  ] as const)('rejects a change of a role: %s', async (_, context, memberId, role, code) => {
    members = [{ ...SELF, role: context.role }, HELPER];
    await expect(service.changeRole(context, memberId, role)).rejects.toMatchObject({ code });
    nothingIsWritten();
  });

  it('rejects a member who has more permissions than the caller', async () => {
    members = [
      { ...SELF, role: 'admin' },
      { ...HELPER, role: 'owner' },
    ];
    const change = service.changeRole(shopContext('admin'), HELPER.id, 'support');
    await expect(change).rejects.toMatchObject({ code: 'permission_missing' });
    nothingIsWritten();
  });

  it.each([
    ['has another role since the guard read it', [{ ...SELF, role: 'admin' }, HELPER] as Member[]],
    ['is no longer a member', [HELPER]],
  ])('rejects a caller who %s', async (_, now) => {
    members = now;
    await expect(service.changeRole(OWNER, HELPER.id, 'manager')).rejects.toMatchObject({
      code: 'state_conflict',
      message: 'Your own role in the team has just changed; try again',
    });
    nothingIsWritten();
  });

  it('records nothing when the membership does not change', async () => {
    rejection = new AppError('last_owner');
    await expect(service.changeRole(OWNER, SELF.id, 'admin')).rejects.toBe(rejection);
    expect(audit.entries).toEqual([]);
  });
});

describe('remove', () => {
  it('ends the membership, and sends an email', async () => {
    expect(await service.remove(OWNER, HELPER.id)).toEqual(HELPER);
    expect(calls).toEqual([
      ['end', OWNER, HELPER, 'member.removed', false, TRANSACTION],
      ['removed', SHOP, HELPER.userId, TRANSACTION],
    ]);
  });

  it('records that a person who removes themselves has left, and sends no email', async () => {
    expect(await service.remove(OWNER, SELF.id)).toEqual(SELF);
    expect(calls).toEqual([['end', OWNER, SELF, 'member.left', false, TRANSACTION]]);
  });

  it('records a removal and sends an email when a key removes its creator', async () => {
    const manager = memberWith({ role: 'admin' });
    members = [manager];
    await service.remove(shopContext('admin', { kind: 'api_key', principal: 'key:1' }), manager.id);
    expect(calls.map(([name, , , action]) => [name, action])).toEqual([
      ['end', 'member.removed'],
      ['removed', TRANSACTION],
    ]);
  });

  it.each([
    ['a member of another shop', OWNER, '0'.repeat(24), 'member_not_found'],
    ['a caller without team:write', shopContext('manager'), HELPER.id, 'permission_missing'],
  ] as const)('rejects %s, and sends no email', async (_, context, memberId, code) => {
    members = [{ ...SELF, role: context.role }, HELPER];
    await expect(service.remove(context, memberId)).rejects.toMatchObject({ code });
    nothingIsWritten();
  });

  it('sends no email when the member is the last owner', async () => {
    rejection = new AppError('last_owner');
    await expect(service.remove(OWNER, HELPER.id)).rejects.toBe(rejection);
    expect(calls.map(([name]) => name)).toEqual(['end']);
  });
});

describe('transferOwnership', () => {
  it('makes the member an owner, then the caller an admin, records it, and sends the emails', async () => {
    const newOwner = { ...HELPER, role: 'owner' };
    expect(await service.transferOwnership(OWNER, HELPER.id)).toEqual({ member: newOwner, user: HELPER_USER });
    expect(calls).toEqual([
      ['changeRole', HELPER, 'owner', OWNER.principal, TRANSACTION],
      ['changeRole', SELF, 'admin', OWNER.principal, TRANSACTION],
      ['ownershipTransferred', SHOP, USER, HELPER.userId, TRANSACTION],
    ]);
    expect(audit.entries).toEqual([
      {
        author: OWNER,
        action: 'ownership.transferred',
        subjectId: HELPER.id,
        changes: [{ field: 'owner', before: USER, after: HELPER.userId }],
      },
    ]);
    expect(audit.transactions).toEqual([TRANSACTION]);
  });

  it.each([
    ['an admin', shopContext('admin')],
    ['a key of an owner', shopContext('owner', { kind: 'api_key' })],
  ])('rejects a transfer by %s before it reads anything', async (_, context) => {
    await expect(service.transferOwnership(context, HELPER.id)).rejects.toMatchObject({
      code: 'permission_missing',
      message: 'Only an owner with a bearer token can transfer the ownership',
    });
    expect(reads).toEqual([]);
    nothingIsWritten();
  });

  it('rejects a member who is an owner already, also the caller', async () => {
    members = [SELF, { ...HELPER, role: 'owner' }];
    for (const id of [HELPER.id, SELF.id]) {
      await expect(service.transferOwnership(OWNER, id)).rejects.toMatchObject({
        code: 'state_conflict',
        message: 'The member is already an owner',
      });
    }
    nothingIsWritten();
  });

  it('rejects a member of another shop', async () => {
    const transfer = service.transferOwnership(OWNER, '0'.repeat(24));
    await expect(transfer).rejects.toMatchObject({ code: 'member_not_found' });
    nothingIsWritten();
  });
});
