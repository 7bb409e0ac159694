import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { startClock, stopClock } from '../../../test/support/clock.js';
import { SHOP, USER } from '../../../test/support/contexts.js';
import { type Call, directTransactions, FakeQuotas, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { memberWith } from '../../../test/support/members.js';
import { permissionsOfRole } from '../../domain/principal/permissions.js';
import { MINUTE_MS } from '../../lib/time/durations.js';
import { type Member } from './member.types.js';
import { type MembersRepository } from './members.repository.js';
import { MembershipsService } from './memberships.service.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const MINUTE_AGO = new Date(NOW.getTime() - MINUTE_MS);
const OWNER = memberWith();
const HELPER = memberWith({ role: 'support' });
const PRINCIPAL = 'user:655f1c2ab1e4a9d3f0c81297';
const CLAIM: Call = ['claimRoster', SHOP, TRANSACTION];

let calls: Call[];
let stored: Member | null;
let hasOtherOwner: boolean;
let touchFails: boolean;
let quotas: FakeQuotas;
let service: MembershipsService;

beforeEach(() => {
  stopClock(NOW);
  calls = [];
  stored = OWNER;
  hasOtherOwner = true;
  touchFails = false;
  quotas = new FakeQuotas();
  service = new MembershipsService(
    recording<MembersRepository>(calls, {
      find: () => Promise.resolve(stored),
      findByIds: () => Promise.resolve([OWNER]),
      list: () => Promise.resolve([OWNER, HELPER]),
      shopIdsOf: () => Promise.resolve([SHOP]),
      claimRoster: () => Promise.resolve(),
      hasOtherOwner: () => Promise.resolve(hasOtherOwner),
      countAll: () => Promise.resolve(2),
      countOwned: () => Promise.resolve(3),
      insert: (shopId, { userId, role, joinedAt }) => Promise.resolve(memberWith({ shopId, userId, role, joinedAt })),
      update: (_shopId, _memberId, { role }) => Promise.resolve(stored && { ...stored, role }),
      remove: () => Promise.resolve(stored),
      touch: () => (touchFails ? Promise.reject(new Error('the store is down')) : Promise.resolve()),
    }),
    quotas.asService,
    directTransactions,
  );
});
afterEach(startClock);

describe('membershipOf', () => {
  it('returns the role, with its permissions, that the member has now', async () => {
    expect(await service.membershipOf(USER, SHOP)).toEqual({
      memberId: OWNER.id,
      role: 'owner',
      permissions: permissionsOfRole('owner'),
    });
    stored = HELPER;
    expect(await service.membershipOf(USER, SHOP)).toMatchObject({ permissions: permissionsOfRole('support') });
  });

  it('returns null for a person who is not a member, and stores no activity', async () => {
    stored = null;
    expect(await service.membershipOf(USER, SHOP)).toBeNull();
    expect(calls).toEqual([['find', SHOP, USER, null]]);
  });

  it.each([
    ['the first request', null, true],
    ['a request a minute after the last one that was stored', MINUTE_AGO, true],
    ['a request within the minute', new Date(MINUTE_AGO.getTime() + 1), false],
  ])('decides whether %s stores the activity of a member', async (_, lastActiveAt, isStored) => {
    stored = memberWith({ lastActiveAt });
    await service.membershipOf(USER, SHOP);
    expect(calls.slice(1)).toEqual(isStored ? [['touch', SHOP, USER, NOW, MINUTE_AGO, TRANSACTION]] : []);
  });

  it('returns the membership when the activity cannot be stored, and logs it', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    touchFails = true;
    expect(await service.membershipOf(USER, SHOP)).not.toBeNull();
    await Promise.resolve();
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn.mock.calls[0]?.[0]).toBe('The activity of a member was not stored');
  });
});

describe('add and join', () => {
  it('locks the team before the insert, and stores who added the person, and when', async () => {
    await service.add(SHOP, USER, 'owner', TRANSACTION);
    const person = { userId: USER, role: 'support', addedBy: PRINCIPAL } as const;
    expect(await service.join(SHOP, person, TRANSACTION)).toEqual({ ...HELPER, joinedAt: NOW });
    const owner = { userId: USER, role: 'owner', addedBy: `user:${USER}`, joinedAt: NOW };
    expect(calls).toEqual([
      CLAIM,
      ['countOwned', USER, 5, TRANSACTION],
      ['insert', SHOP, owner, TRANSACTION],
      CLAIM,
      ['insert', SHOP, { ...person, joinedAt: NOW }, TRANSACTION],
    ]);
  });
});

describe('a person who becomes an owner', () => {
  it('counts against the quota of owned shops, by a new shop, an invitation or a new role', async () => {
    await service.add(SHOP, USER, 'owner', TRANSACTION);
    await service.join(SHOP, { userId: USER, role: 'owner', addedBy: PRINCIPAL }, TRANSACTION);
    stored = HELPER;
    await service.changeRole(HELPER, 'owner', PRINCIPAL, TRANSACTION);
    await service.changeRole(HELPER, 'admin', PRINCIPAL, TRANSACTION);
    const owned = ['shopsPerPerson', USER, 3, TRANSACTION];
    expect(quotas.checked).toEqual([owned, owned, owned]);
  });

  it('rejects a new owner when the quota is reached', async () => {
    quotas.isFull = true;
    const full = { code: 'quota_reached' };
    await expect(service.add(SHOP, USER, 'owner', TRANSACTION)).rejects.toMatchObject(full);
    await expect(service.changeRole(HELPER, 'owner', PRINCIPAL, TRANSACTION)).rejects.toMatchObject(full);
    expect(calls.filter(([name]) => name === 'insert' || name === 'update')).toEqual([]);
  });
});

it('counts the members and the given invitations against the size of the team', async () => {
  await service.requireRoomInTeam(SHOP, 7, TRANSACTION);
  expect(quotas.checked).toEqual([['teamPerShop', SHOP, 9, TRANSACTION]]);
});

describe('changeRole', () => {
  const change = (member: Member, role: Member['role']): Promise<Member> =>
    service.changeRole(member, role, PRINCIPAL, TRANSACTION);

  it('locks the team before the change of a role, and stores who changed it, and when', async () => {
    stored = HELPER;
    expect(await change(HELPER, 'manager')).toEqual({ ...HELPER, role: 'manager' });
    const written = { role: 'manager', updatedBy: PRINCIPAL, updatedAt: NOW };
    expect(calls).toEqual([CLAIM, ['update', SHOP, HELPER.id, written, TRANSACTION]]);
  });

  it('checks for another owner after it has locked the team, when an owner gets another role', async () => {
    await change(OWNER, 'admin');
    expect(calls.map(([name]) => name)).toEqual(['claimRoster', 'hasOtherOwner', 'update']);
  });

  it('keeps the last owner', async () => {
    hasOtherOwner = false;
    await expect(change(OWNER, 'admin')).rejects.toMatchObject({ code: 'last_owner' });
    expect(calls.map(([name]) => name)).not.toContain('update');
    expect(await change(OWNER, 'owner')).toEqual(OWNER);
  });

  it('returns member_not_found when the member was removed', async () => {
    stored = null;
    await expect(change(HELPER, 'manager')).rejects.toMatchObject({ code: 'member_not_found' });
  });
});

describe('remove', () => {
  const remove = (member: Member, mayBeLast = false): Promise<void> => service.remove(member, mayBeLast, TRANSACTION);

  it('locks the team, and checks for another owner, before it removes an owner', async () => {
    await remove(OWNER);
    expect(calls).toEqual([
      CLAIM,
      ['hasOtherOwner', SHOP, OWNER.id, TRANSACTION],
      ['remove', SHOP, OWNER.id, TRANSACTION],
    ]);
  });

  it('removes another member without a check for owners', async () => {
    hasOtherOwner = false;
    await remove(HELPER);
    expect(calls).toEqual([CLAIM, ['remove', SHOP, HELPER.id, TRANSACTION]]);
  });

  it('removes the last owner of a shop that may stay without one', async () => {
    hasOtherOwner = false;
    await remove(OWNER, true);
    expect(calls).toEqual([CLAIM, ['remove', SHOP, OWNER.id, TRANSACTION]]);
  });

  it('keeps the last owner', async () => {
    hasOtherOwner = false;
    await expect(remove(OWNER)).rejects.toMatchObject({ code: 'last_owner' });
    expect(calls.map(([name]) => name)).not.toContain('remove');
  });

  it('returns member_not_found when the member was removed', async () => {
    stored = null;
    await expect(remove(HELPER)).rejects.toMatchObject({ code: 'member_not_found' });
  });
});

it('reads members by shop and person, by ids, the team, and the shops of a person', async () => {
  expect(await service.find(SHOP, USER, TRANSACTION)).toEqual(OWNER);
  expect(await service.findByIds(SHOP, [OWNER.id], TRANSACTION)).toEqual([OWNER]);
  expect(await service.list(SHOP, TRANSACTION)).toEqual([OWNER, HELPER]);
  expect(await service.shopIdsOf(USER)).toEqual([SHOP]);
});

it('locks the team for the transaction of another service', async () => {
  await service.claimTeam(SHOP, TRANSACTION);
  expect(calls).toEqual([CLAIM]);
});
