import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '../../src/lib/time/durations.js';
import { MEMBER_MODEL, type MemberRecord, memberSchema } from '../../src/shops/memberships/member.schema.js';
import { type Member } from '../../src/shops/memberships/member.types.js';
import { MembersRepository } from '../../src/shops/memberships/members.repository.js';
import { ROSTER_MODEL, type RosterRecord, rosterSchema } from '../../src/shops/memberships/roster.schema.js';
import { INVITATION_MODEL, type InvitationRecord, invitationSchema } from '../../src/access/team/invitation.schema.js';
import { type NewInvitation } from '../../src/access/team/invitation.types.js';
import { InvitationsRepository } from '../../src/access/team/invitations.repository.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';

const [SHOP, OTHER_SHOP] = ['655f1c2ab1e4a9d3f0c81234', '655f1c2ab1e4a9d3f0c81235'] as const;
const [USER, OTHER_USER] = ['655f1c2ab1e4a9d3f0c81230', '655f1c2ab1e4a9d3f0c81231'] as const;
const NOW = new Date();
const CHANGE = { role: 'support', updatedBy: 'user:1', updatedAt: NOW } as const;

let store: TestStore;
let members: MembersRepository;
let invitations: InvitationsRepository;

beforeAll(async () => {
  store = await openTestStore();
  const { connection } = store;
  const memberModel = await openModel<MemberRecord>(connection, MEMBER_MODEL, memberSchema);
  const rosterModel = await openModel<RosterRecord>(connection, ROSTER_MODEL, rosterSchema);
  const invitationModel = await openModel<InvitationRecord>(connection, INVITATION_MODEL, invitationSchema);
  members = new MembersRepository(memberModel, rosterModel);
  invitations = new InvitationsRepository(invitationModel);
});
beforeEach(async () => {
  for (const name of ['members', 'rosters', 'invitations']) await store.connection.collection(name).deleteMany({});
});
afterAll(() => store.close());

describe('members', () => {
  const insert = (userId: string, role: Member['role'] = 'admin', shopId: string = SHOP): Promise<Member> =>
    store.commit((transaction) =>
      members.insert(shopId, { userId, role, joinedAt: NOW, addedBy: 'user:1' }, transaction),
    );

  it('stores one member per shop and person', async () => {
    const member = await insert(USER);
    await expect(insert(USER, 'support')).rejects.toMatchObject({ code: 'already_member' });
    await insert(USER, 'owner', OTHER_SHOP);
    await insert(OTHER_USER);
    expect(await members.find(SHOP, USER, null)).toEqual(member);
    expect(await members.shopIdsOf(USER)).toEqual([SHOP, OTHER_SHOP]);
    expect((await members.list(SHOP, null)).map(({ userId }) => userId)).toEqual([USER, OTHER_USER]);
  });

  it('reads, changes and removes members only in their own shop', async () => {
    const { id } = await insert(USER);
    const inShop = (shopId: string): Promise<unknown[]> =>
      store.commit(async (transaction) => [
        await members.findByIds(shopId, [id], transaction),
        await members.update(shopId, id, CHANGE, transaction),
        await members.remove(shopId, id, transaction),
      ]);
    expect(await inShop(OTHER_SHOP)).toEqual([[], null, null]);
    const added = { joinedAt: NOW, addedBy: 'user:1', updatedBy: null, updatedAt: null, lastActiveAt: null };
    const before = { id, shopId: SHOP, userId: USER, role: 'admin', ...added };
    const after = { ...before, ...CHANGE };
    expect(await inShop(SHOP)).toEqual([[before], after, after]);
    expect(await members.list(SHOP, null)).toEqual([]);
  });

  it('counts up to a number the members of a shop, and the shops that a person owns', async () => {
    await insert(USER, 'owner');
    await insert(OTHER_USER);
    await insert(USER, 'owner', OTHER_SHOP);
    await insert(OTHER_USER, 'owner', '655f1c2ab1e4a9d3f0c81236');
    const counts = await store.commit(async (transaction) => {
      const newcomer = { userId: '655f1c2ab1e4a9d3f0c81233', role: 'owner', joinedAt: NOW, addedBy: 'user:1' } as const;
      await members.insert(SHOP, newcomer, transaction);
      return [
        await members.countAll(SHOP, 5, transaction),
        await members.countAll(SHOP, 1, transaction),
        await members.countOwned(USER, 5, transaction),
        await members.countOwned(USER, 1, transaction),
        await members.countOwned(newcomer.userId, 5, transaction),
      ];
    });
    expect(counts).toEqual([3, 1, 2, 1, 1]);
  });

  it('finds another owner of the same shop only', async () => {
    const owner = await insert(USER, 'owner');
    await insert(OTHER_USER, 'admin');
    await insert(OTHER_USER, 'owner', OTHER_SHOP);
    const hasOther = (): Promise<boolean> =>
      store.commit((transaction) => members.hasOtherOwner(SHOP, owner.id, transaction));
    expect(await hasOther()).toBe(false);
    await insert('655f1c2ab1e4a9d3f0c81232', 'owner');
    expect(await hasOther()).toBe(true);
  });

  it('stores the latest time of activity, of one shop only', async () => {
    await insert(USER);
    await insert(USER, 'admin', OTHER_SHOP);
    const touch = (now: Date, before: Date): Promise<void> =>
      store.commit((transaction) => members.touch(SHOP, USER, now, before, transaction));
    const past = new Date(NOW.getTime() - HOUR_MS);
    await touch(NOW, past);
    await touch(new Date(NOW.getTime() + HOUR_MS), past);
    expect((await members.find(SHOP, USER, null))?.lastActiveAt).toEqual(NOW);
    expect((await members.find(OTHER_SHOP, USER, null))?.lastActiveAt).toBeNull();
  });

  it('writes one roster of each shop in every change, so that two parallel changes conflict', async () => {
    for (const shopId of [SHOP, OTHER_SHOP, SHOP]) {
      await store.commit((transaction) => members.claimRoster(shopId, transaction));
    }
    const rosters = await store.connection.collection('rosters').find().sort({ _id: 1 }).toArray();
    expect(rosters.map(({ _id, revision }) => [String(_id), revision])).toEqual([
      [SHOP, 2],
      [OTHER_SHOP, 1],
    ]);
  });

  it('changes no member when the transaction is rolled back', async () => {
    const member = await insert(USER);
    await store.rollBack(async (transaction) => {
      await members.claimRoster(SHOP, transaction);
      await members.insert(SHOP, { userId: OTHER_USER, role: 'admin', joinedAt: NOW, addedBy: 'x' }, transaction);
      await members.update(SHOP, member.id, CHANGE, transaction);
      await members.remove(SHOP, member.id, transaction);
    });
    await store.rollBack((transaction) => members.touch(SHOP, USER, NOW, NOW, transaction));
    expect(await members.list(SHOP, null)).toEqual([member]);
    expect(await store.connection.collection('rosters').countDocuments()).toBe(0);
  });
});

describe('invitations', () => {
  const EMAIL = 'helper@example.com';
  const valuesWith = (fields: Partial<NewInvitation> = {}): NewInvitation => ({
    email: EMAIL,
    role: 'support',
    tokenHash: 'first',
    invitedBy: 'user:1',
    inviterId: USER,
    inviterKeyId: null,
    createdAt: NOW,
    expiresAt: new Date(NOW.getTime() + HOUR_MS),
    ...fields,
  });
  const replace = (
    fields: Partial<NewInvitation> = {},
    shopId: string = SHOP,
  ): ReturnType<InvitationsRepository['replace']> =>
    store.commit((transaction) => invitations.replace(shopId, valuesWith(fields), transaction));
  const take = (tokenHash: string, email = EMAIL): Promise<unknown> =>
    store.commit((transaction) => invitations.take(tokenHash, email, NOW, transaction));

  it('replaces an earlier invitation of the same shop and address, and returns its role while it was open', async () => {
    const first = await replace();
    expect(first.replacedRole).toBeNull();
    await replace({ tokenHash: 'elsewhere' }, OTHER_SHOP);
    const second = await replace({ tokenHash: 'second', role: 'admin' });
    expect(second).toMatchObject({ invitation: { id: first.invitation.id, role: 'admin' }, replacedRole: 'support' });
    expect(await take('first')).toBeNull();
    await store.connection.collection('invitations').updateMany({}, { $set: { expiresAt: NOW } });
    expect((await replace()).replacedRole).toBeNull();
  });

  it('counts the open invitations, without those of the address, with those of the transaction', async () => {
    await replace();
    await replace({ email: 'expired@example.com', tokenHash: '2', expiresAt: NOW });
    await replace({ email: 'other@example.com', tokenHash: '3' }, OTHER_SHOP);
    const count = await store.commit(async (transaction) => {
      await invitations.replace(SHOP, valuesWith({ email: 'new@example.com', tokenHash: '4' }), transaction);
      return invitations.countOthers(SHOP, EMAIL, NOW, transaction);
    });
    expect(count).toBe(1);
  });

  it('accepts or declines an invitation once, by token and address, before it expires', async () => {
    const { invitation } = await replace();
    expect(await take('first', 'other@example.com')).toBeNull();
    expect(await take('other')).toBeNull();
    expect(await take('first')).toEqual(invitation);
    expect(await take('first')).toBeNull();
    await replace({ expiresAt: NOW });
    expect(await take('first')).toBeNull();
    expect(await invitations.listOpen(SHOP, NOW)).toEqual([]);
  });

  it('accepts an invitation for exactly one of two requests', async () => {
    const { invitation } = await replace();
    const results = await Promise.all([take('first'), take('first')]);
    expect(results.filter((result) => result !== null)).toEqual([invitation]);
  });

  it('lists open invitations with the key that sent them, the oldest first, until they expire', async () => {
    const { invitation: first } = await replace({ inviterKeyId: '655f1c2ab1e4a9d3f0c81240' });
    const { invitation: second } = await replace({ email: 'a@example.com', tokenHash: 'second' });
    await replace({ email: 'expired@example.com', tokenHash: 'third', expiresAt: NOW });
    expect(first.inviterKeyId).toBe('655f1c2ab1e4a9d3f0c81240');
    expect(await invitations.listOpen(SHOP, NOW)).toEqual([first, second]);
  });

  it('lists and revokes invitations only in their own shop', async () => {
    const { invitation } = await replace();
    const revoke = (shopId: string): Promise<unknown> =>
      store.commit((transaction) => invitations.revoke(shopId, invitation.id, NOW, transaction));
    expect(await invitations.listOpen(OTHER_SHOP, NOW)).toEqual([]);
    expect(await invitations.listOpen(SHOP, NOW)).toEqual([invitation]);
    expect(await revoke(OTHER_SHOP)).toBeNull();
    expect(await revoke(SHOP)).toEqual(invitation);
    expect(await revoke(SHOP)).toBeNull();
  });

  it('changes no invitation when the transaction is rolled back', async () => {
    const { invitation } = await replace();
    await store.rollBack(async (transaction) => {
      await invitations.replace(SHOP, valuesWith({ email: 'new@example.com', tokenHash: 'new' }), transaction);
      await invitations.take('first', EMAIL, NOW, transaction);
    });
    await store.rollBack((transaction) => invitations.revoke(SHOP, invitation.id, NOW, transaction));
    expect(await invitations.listOpen(SHOP, NOW)).toEqual([invitation]);
  });
});
