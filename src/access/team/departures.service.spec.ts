import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP, shopContext, USER } from '../../../test/support/contexts.js';
import { type Call, directTransactions, FakeAudit, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { memberWith } from '../../../test/support/members.js';
import { type Member } from '../../shops/memberships/member.types.js';
import { type MembershipsService } from '../../shops/memberships/memberships.service.js';
import { type Shop } from '../../shops/shops/shop.types.js';
import { type ShopsService } from '../../shops/shops/shops.service.js';
import { type KeyRevocationsService } from '../api-keys/key-revocations.service.js';
import { DeparturesService } from './departures.service.js';

const OWNER = shopContext();
const SELF = memberWith();
const CLOSED_SHOP = '655f1c2ab1e4a9d3f0c81299';

/** The writes, in the order of the calls. */
let calls: Call[];
let audit: FakeAudit;
/** The memberships of the caller. */
let members: Member[];
let isOnlyOwner: boolean;
let service: DeparturesService;

beforeEach(() => {
  calls = [];
  audit = new FakeAudit();
  members = [SELF];
  isOnlyOwner = false;
  const memberships = {
    ...recording<MembershipsService>([], {
      find: (shopId, userId) =>
        Promise.resolve(members.find((member) => member.shopId === shopId && member.userId === userId) ?? null),
      listOf: () => Promise.resolve(members),
      isOnlyOwner: () => Promise.resolve(isOnlyOwner),
    }),
    ...recording<MembershipsService>(calls, { remove: () => Promise.resolve() }),
  } as MembershipsService;
  service = new DeparturesService(
    memberships,
    recording<ShopsService>([], {
      getIn: (shopId) => Promise.resolve({ isActive: shopId !== CLOSED_SHOP, displayName: 'Sky Realm' } as Shop),
    }),
    recording<KeyRevocationsService>(calls, { revokeAllOf: () => Promise.resolve(2) }),
    audit.asService,
    directTransactions,
  );
});

describe('leave', () => {
  it('ends the membership of the caller, revokes their keys, and records both in the same transaction', async () => {
    expect(await service.leave(OWNER, SHOP)).toEqual(SELF);
    expect(calls).toEqual([
      ['remove', SELF, false, TRANSACTION],
      ['revokeAllOf', USER, SHOP, TRANSACTION],
    ]);
    expect(audit.entries).toEqual([
      {
        author: { shopId: SHOP, principal: OWNER.principal },
        action: 'member.left',
        subjectId: SELF.id,
        changes: [
          { field: 'userId', before: USER, after: null },
          { field: 'role', before: 'owner', after: null },
          { field: 'apiKeys', before: '2', after: '0' },
        ],
      },
    ]);
    expect(audit.transactions).toEqual([TRANSACTION]);
  });

  it('returns shop_not_found to a person who is not a member', async () => {
    members = [];
    await expect(service.leave(OWNER, SHOP)).rejects.toMatchObject({ code: 'shop_not_found' });
    expect([calls, audit.entries]).toEqual([[], []]);
  });
});

describe('leaveAll', () => {
  it('ends all memberships, also that of the only owner of a closed shop', async () => {
    const ofClosed = memberWith({ shopId: CLOSED_SHOP });
    members = [SELF, ofClosed];
    await service.leaveAll(OWNER, TRANSACTION);
    expect(calls.filter(([name]) => name === 'remove')).toEqual([
      ['remove', SELF, false, TRANSACTION],
      ['remove', ofClosed, true, TRANSACTION],
    ]);
    expect(audit.entries.map(({ action }) => action)).toEqual(['member.left', 'member.left']);
  });

  it('names the open shop that would have no owner', async () => {
    isOnlyOwner = true;
    await expect(service.leaveAll(OWNER, TRANSACTION)).rejects.toMatchObject({
      code: 'last_owner',
      message: 'You are the only owner of Sky Realm; make somebody else an owner, or close the shop first',
    });
    expect(calls).toEqual([]);
  });
});
