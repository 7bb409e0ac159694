import { expect, it } from '@jest/globals';
import { type EntitlementChange, entitlementEvents } from './entitlement-events.js';
import { type Entitlement } from './entitlement.types.js';

const START = new Date('2026-11-29T12:00:00.000Z');
const owned = (fields: Partial<Entitlement> = {}): Entitlement => ({
  ...{ id: 'e', shopId: 'shop', orderId: 'order', position: 0, productId: 'vip', countsAs: 'vip', serverId: 'one' },
  ...{ ownedEverywhere: false, repeat: 'extend', quantity: 1, durationDays: 30, money: 'shop', state: 'active' },
  ...{ nickname: 'Steve', nicknameKey: 'steve', buyerKey: 'steve@example.com', startsAt: START, endsAt: null },
  ...{ endedBy: null, endDueAt: null, changedAt: START },
  ...{ upgrade: null, upgradedBy: null, paidMinor: 0, listMinor: 0 },
  ...fields,
});
const PENDING = owned({ state: 'pending', startsAt: null });
const ENDED = owned({ state: 'ended', endedBy: 'refund' });
const ALEX = owned({ nickname: 'Alex', nicknameKey: 'alex' });

it.each<[string, Entitlement | null, Entitlement, boolean, string[]]>([
  ['is paid', null, PENDING, false, []],
  ['is paid and gets another player', PENDING, { ...ALEX, startsAt: null, state: 'pending' }, false, []],
  ['is delivered', PENDING, owned(), false, ['entitlement.started']],
  ['is delivered to who owns it', PENDING, owned(), true, ['entitlement.extended']],
  ['is disputed', owned(), owned({ state: 'held', money: 'unclear' }), false, []],
  ['ends', owned(), ENDED, false, ['entitlement.ended']],
  ['comes back', ENDED, owned(), false, ['entitlement.started']],
  ['is refunded before its delivery', PENDING, { ...ENDED, startsAt: null }, false, []],
  ['is transferred', owned(), ALEX, false, ['entitlement.transferred']],
])('publishes what %s', (_what, before, after, isCovered, types) => {
  const change: EntitlementChange = { before, after, isCovered };
  const events = entitlementEvents([change]);
  expect(events.map(({ type }) => type)).toEqual(types);
  const details = { nickname: after.nickname, since: START.toISOString(), stillOwned: isCovered };
  for (const event of events) expect(event).toMatchObject({ subjectId: 'order', details });
});
