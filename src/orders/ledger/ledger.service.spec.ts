import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP } from '../../../test/support/contexts.js';
import { type Call, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { type Order } from '../order/order.types.js';
import { type LedgerRepository } from './ledger.repository.js';
import { LedgerService } from './ledger.service.js';
import { type StoredLedgerEntry } from './ledger.types.js';
import { type RecordedOrdersRepository } from './recorded-orders.repository.js';
import { eventsOf, factsOf, type RecordedOrder } from './sale-events.js';

const IDS = ['655f1c2ab1e4a9d3f0c81250', '655f1c2ab1e4a9d3f0c81251'] as const;
const CREATED = new Date('2026-11-21T12:00:00Z');

const paid = (id: string): RecordedOrder =>
  ({
    ...{ id, currency: 'EUR', items: [], discount: null, totalMinor: 500 },
    ...{ createdAt: CREATED, paidAt: CREATED, isFirstPurchase: false, payments: [], reversals: [] },
  }) as unknown as RecordedOrder;
const [ONE, OTHER] = [paid(IDS[0]), paid(IDS[1])];
const entry = (fields: Partial<StoredLedgerEntry>): StoredLedgerEntry => fields as StoredLedgerEntry;

let calls: Call[];
let orders: RecordedOrder[];
let ofOrders: StoredLedgerEntry[];
let pending: StoredLedgerEntry[];
let service: LedgerService;

beforeEach(() => {
  [calls, orders, ofOrders, pending] = [[], [ONE, OTHER], [], []];
  service = new LedgerService(
    recording<LedgerRepository>(calls, {
      ofOrders: () => Promise.resolve(ofOrders),
      pendingBatch: () => Promise.resolve(pending),
      insertMany: () => Promise.resolve(),
    }),
    recording<RecordedOrdersRepository>(calls, { batch: () => Promise.resolve(orders) }),
  );
});

const callsOf = (name: string): unknown[][] => calls.filter(([called]) => called === name).map(([, ...args]) => args);

describe('LedgerService.recordRenaming', () => {
  it('takes what was recorded from one player and gives it to the other, for the profiles of buyers only', async () => {
    const order = { ...ONE, shopId: SHOP, origin: 'checkout', nicknameKey: 'steve_42' } as unknown as Order;
    await service.recordRenaming(order, 'alex_42', TRANSACTION);
    const [facts, events] = [factsOf(order), eventsOf(order)];
    const reversed = events.map((event) => ({ ...event, count: -event.count }));
    const entries = [
      { ...facts, events: reversed },
      { ...facts, nicknameKey: 'alex_42', events },
    ];
    expect(callsOf('insertMany')).toEqual([[SHOP, entries, false, TRANSACTION]]);
    await service.recordRenaming({ ...order, origin: 'grant' }, 'alex_42', TRANSACTION);
    expect(callsOf('insertMany')).toHaveLength(1);
  });
});

describe('LedgerService.reconcile', () => {
  it('reads the orders after the last one of the batch before, and returns the last one of this batch', async () => {
    const after = { createdAt: CREATED, orderId: SHOP };
    const last = { createdAt: CREATED, orderId: IDS[1] };
    expect(await service.reconcile(SHOP, after, 2, TRANSACTION)).toEqual({ last, entries: [] });
    expect(callsOf('batch')).toEqual([[SHOP, after, 2, TRANSACTION]]);
  });

  it.each([[[]], [[ONE]], [[ONE, OTHER]]])('returns no last order when none is left', async (batch) => {
    orders = batch;
    expect((await service.reconcile(SHOP, null, 3, TRANSACTION)).last).toBeNull();
  });

  it('adds what the ledger lacks of each order', async () => {
    ofOrders = [
      entry({ orderId: IDS[0], events: eventsOf(ONE) }),
      entry({ orderId: IDS[1], events: eventsOf(OTHER).slice(0, 1) }),
    ];
    await service.reconcile(SHOP, null, 200, TRANSACTION);
    const lacking = { ...factsOf(OTHER), events: eventsOf(OTHER).slice(1) };
    expect(callsOf('insertMany')).toEqual([[SHOP, [lacking], true, TRANSACTION]]);
  });

  it('adds nothing when the ledger has everything, and returns the entries that are not pending', async () => {
    const known = { orderId: IDS[0], events: eventsOf(ONE) };
    ofOrders = [
      entry({ ...known, pending: false }),
      entry({ orderId: IDS[1], events: eventsOf(OTHER), pending: true }),
    ];
    const { entries } = await service.reconcile(SHOP, null, 200, TRANSACTION);
    expect(entries).toEqual([entry({ ...known, pending: false })]);
    expect(callsOf('insertMany')).toEqual([]);
  });
});

describe('LedgerService.pendingBatch', () => {
  it('returns the oldest pending entries', async () => {
    pending = [entry({ orderId: IDS[0], events: eventsOf(ONE) })];
    expect(await service.pendingBatch(SHOP, 50, TRANSACTION)).toEqual(pending);
  });

  it('returns all pending entries of their orders when an event takes an earlier one back', async () => {
    const takenBack = eventsOf(ONE).map((event) => ({ ...event, count: -1 }));
    pending = [entry({ orderId: IDS[0], events: takenBack, pending: true })];
    const later = entry({ orderId: IDS[0], events: eventsOf(ONE), pending: true });
    ofOrders = [...pending, later, entry({ orderId: IDS[0], events: eventsOf(ONE), pending: false })];
    expect(await service.pendingBatch(SHOP, 50, TRANSACTION)).toEqual([...pending, later]);
    expect(callsOf('ofOrders')).toEqual([[SHOP, [IDS[0]], TRANSACTION]]);
  });
});
