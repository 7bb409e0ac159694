import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { startClock, stopClock } from '../../../test/support/clock.js';
import { SHOP, shopContext } from '../../../test/support/contexts.js';
import { type Call, FakeShopEvents, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { SHOP_EVENT_TYPES, SHOP_EVENTS } from '../shop-events/shop-event.types.js';
import { type AuditRepository } from './audit.repository.js';
import { AuditService } from './audit.service.js';
import { AUDIT_ACTIONS, type AuditAction } from './audit.types.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');

let calls: Call[];
let events: FakeShopEvents;
let service: AuditService;

beforeEach(() => {
  stopClock(NOW);
  calls = [];
  events = new FakeShopEvents();
  service = new AuditService(
    recording<AuditRepository>(calls, { insertAll: () => Promise.resolve() }),
    events.asService,
  );
});
afterEach(startClock);

it('records who wrote what in which shop, and when, in the transaction of the write', async () => {
  const changes = [{ field: 'role', before: 'support', after: 'manager' }];
  const write = { action: 'member.role_changed', subjectId: 'member', changes } as const;
  await service.record({ shopId: SHOP, principal: 'key:1' }, write, TRANSACTION);
  expect(calls).toEqual([['insertAll', SHOP, [{ at: NOW, principal: 'key:1', ...write }], TRANSACTION]]);
});

it('publishes changes of the team and of API keys in the same transaction, and no other write', async () => {
  const actions = Object.keys(AUDIT_ACTIONS) as AuditAction[];
  const writes = actions.map((action) => ({ action, subjectId: `of ${action}` }));
  await service.recordAll({ shopId: SHOP, principal: 'user:1' }, writes, TRANSACTION);
  const published = SHOP_EVENT_TYPES.filter((type) => SHOP_EVENTS[type].permission === 'team:read');
  const details = { principal: 'user:1' };
  expect(events.recorded).toEqual(published.map((type) => ({ type, subjectId: `of ${type}`, details })));
  expect(new Set(events.transactions)).toEqual(new Set([TRANSACTION]));
});

it('stores only the principal of a caller, and null or no changes for what a write does not give', async () => {
  await service.record(shopContext(), { action: 'shop.deactivated' }, TRANSACTION);
  const { principal } = shopContext();
  const entry = { at: NOW, principal, action: 'shop.deactivated', subjectId: null, changes: [] };
  expect(calls).toEqual([['insertAll', SHOP, [entry], TRANSACTION]]);
});
