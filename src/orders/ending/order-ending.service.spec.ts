import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP } from '../../../test/support/contexts.js';
import { type Call, FakeAudit, FakeShopEvents, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { type ReservationsService } from '../reservations/reservations.service.js';
import { type Ending, OrderEndingService } from './order-ending.service.js';
import { type OrderEndingRepository } from './order-ending.repository.js';

const [FIRST, SECOND, PAID] = ['655f1c2ab1e4a9d3f0c81250', '655f1c2ab1e4a9d3f0c81251', '655f1c2ab1e4a9d3f0c81252'];
const STAFF = { shopId: SHOP, principal: 'user:1' };

let calls: Call[];
let ended: string[];
let audit: FakeAudit;
let events: FakeShopEvents;
let service: OrderEndingService;

beforeEach(() => {
  calls = [];
  ended = [FIRST, SECOND];
  audit = new FakeAudit();
  events = new FakeShopEvents();
  service = new OrderEndingService(
    recording<OrderEndingRepository>(calls, { end: () => Promise.resolve(ended) }),
    recording<ReservationsService>(calls, { release: () => Promise.resolve() }),
    audit.asService,
    events.asService,
  );
});

const end = (ending: Partial<Ending> = {}): Promise<string[]> =>
  service.end(STAFF, [FIRST, SECOND, PAID], { to: 'cancelled', reason: null, ...ending }, TRANSACTION);

describe('end', () => {
  it.each([
    ['expired', null],
    ['cancelled', 'Asked by the buyer'],
  ] as const)('adds to the history of the orders that they were %s, when, by whom and why', async (to, reason) => {
    const before = new Date();
    await end({ to, reason });
    const [[name, ...args] = []] = calls;
    const history = { at: expect.any(Date), actor: 'user:1', action: to, detail: reason };
    expect([name, ...args]).toEqual(['end', SHOP, [FIRST, SECOND, PAID], to, history, TRANSACTION]);
    expect((args[3] as { at: Date }).at.getTime()).toBeGreaterThanOrEqual(before.getTime());
  });

  it('publishes each order that expired or was cancelled, the latter with the reason, in the same transaction', async () => {
    await end({ reason: 'Asked by the buyer' });
    await end({ to: 'expired' });
    const details = { reason: 'Asked by the buyer' };
    expect(events.recorded).toEqual([
      ...[FIRST, SECOND].map((subjectId) => ({ type: 'order.cancelled', subjectId, details })),
      ...[FIRST, SECOND].map((subjectId) => ({ type: 'order.expired', subjectId })),
    ]);
    expect(new Set(events.transactions)).toEqual(new Set([TRANSACTION]));
  });

  it('releases what the orders that ended hold, and returns their ids', async () => {
    expect(await end()).toEqual([FIRST, SECOND]);
    expect(calls.slice(1)).toEqual([['release', SHOP, [FIRST, SECOND], TRANSACTION]]);
  });

  it.each([
    ['expired', 'order.expired'],
    ['cancelled', 'order.cancelled'],
  ] as const)('writes an audit entry for each order that was %s, with the reason of staff', async (to, action) => {
    await end({ to, reason: 'Asked by the buyer' });
    const changes = [{ field: 'reason', before: null, after: 'Asked by the buyer' }];
    expect(audit.entries).toEqual([FIRST, SECOND].map((subjectId) => ({ author: STAFF, action, subjectId, changes })));
    expect(audit.transactions).toEqual([TRANSACTION, TRANSACTION]);
  });

  it('writes no changes into the audit entry when there is no reason', async () => {
    await end({ to: 'expired' });
    expect(audit.entries.map((entry) => Object.keys(entry))).toEqual([
      ['author', 'action', 'subjectId'],
      ['author', 'action', 'subjectId'],
    ]);
  });

  it('releases and records nothing when all of them were paid or ended before', async () => {
    ended = [];
    expect(await end()).toEqual([]);
    expect(calls.map(([name]) => name)).toEqual(['end']);
    expect(audit.entries).toEqual([]);
  });
});
