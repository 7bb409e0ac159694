import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP, shopContext } from '../../../test/support/contexts.js';
import {
  type Call,
  directTransactions,
  FakeAudit,
  FakeShopEvents,
  recording,
  TRANSACTION,
} from '../../../test/support/fakes.js';
import { aDelivery } from '../../../test/support/deliveries.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type DeliveriesService } from '../../delivery/deliveries/deliveries.service.js';
import { type Delivery, type DeliveryState } from '../../delivery/deliveries/delivery.types.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { type EntitlementsService } from '../entitlements/entitlements.service.js';
import { type EntitlingOrder } from '../entitlements/entitlement.types.js';
import { type DeliveryStatusRepository } from './delivery-status.repository.js';
import { DeliveryStatusService } from './delivery-status.service.js';
import { type DeliveryStatus, type Order } from '../order/order.types.js';
import { type OrdersService } from '../order/orders.service.js';

const [A, B, C] = ['655f1c2ab1e4a9d3f0c81250', '655f1c2ab1e4a9d3f0c81251', '655f1c2ab1e4a9d3f0c81252'];
const PLUGIN = { shopId: SHOP, principal: 'key:1' };
const STAFF = shopContext('support');

let calls: Call[];
let stored: Pick<Order, 'id' | 'deliveryStatus'>[];
let states: Map<string, DeliveryState>;
/** The orders whose state does not allow the move. */
let stuck: string[];
/** The order, as each of the reads returns it. */
let reads: (Order | null)[];
let queuedAgain: readonly Delivery[];
let audit: FakeAudit;
let events: FakeShopEvents;
let service: DeliveryStatusService;

beforeEach(() => {
  calls = [];
  [stored, states, stuck] = [[], new Map(), []];
  reads = [paid(1), paid(2)];
  queuedAgain = [aDelivery(), aDelivery({ position: 1 })];
  audit = new FakeAudit();
  events = new FakeShopEvents();
  const statuses = recording<DeliveryStatusRepository>(calls, {
    findEntitling: (_shopId, orderIds) =>
      Promise.resolve(stored.filter(({ id }) => orderIds.includes(id)) as EntitlingOrder[]),
    find: (_shopId, orderIds) => Promise.resolve(stored.filter(({ id }) => orderIds.includes(id))),
    move: (_shopId, orderIds) => Promise.resolve(orderIds.filter((id) => !stuck.includes(id)).length),
  });
  const deliveries = recording<DeliveriesService>(calls, {
    statesOf: () => Promise.resolve(states),
    queueAgain: () =>
      queuedAgain.length > 0 ? Promise.resolve(queuedAgain) : Promise.reject(new AppError('not_redeliverable')),
  });
  const addHistory = recording<OrdersService>(calls, { addHistory: () => Promise.resolve() });
  const get = async (): Promise<Order> => orNotFound(await Promise.resolve(reads.shift() ?? null), 'order_not_found');
  const orders = { ...addHistory, get } as unknown as OrdersService;
  service = new DeliveryStatusService(
    orders,
    statuses,
    deliveries,
    recording<EntitlementsService>(calls, { follow: () => Promise.resolve({ states, events: [] }) }),
    audit.asService,
    directTransactions,
    events.asService,
  );
});

/** A paid order as one of several reads returns it. */
function paid(itemCount: number, fields: Partial<Order> = {}): Order {
  return { id: A, shopId: SHOP, status: 'completed', paymentStatus: 'paid', itemCount, ...fields } as Order;
}

describe('update', () => {
  /** Each order with its status, and the state of its deliveries; null without deliveries. */
  const given = (...orders: [id: string, before: DeliveryStatus, state: DeliveryState | null][]): void => {
    stored = orders.map(([id, deliveryStatus]) => ({ id, deliveryStatus }));
    states = new Map(orders.flatMap(([id, , state]) => (state === null ? [] : [[id, state] as const])));
  };
  const update = (...orderIds: string[]): Promise<void> => service.update(PLUGIN, orderIds, TRANSACTION);
  const moves = (): Call[] => calls.filter(([name]) => name === 'move');

  it('reads nothing for no orders', async () => {
    await update();
    expect(calls).toEqual([]);
  });

  it('moves the orders of the shop to the states of their deliveries, with one write for each state', async () => {
    given([A, 'queued', 'leased'], [B, 'leased', 'queued'], [C, 'queued', 'leased']);
    await update(A, B, C);
    expect(calls).toEqual([
      ['findEntitling', SHOP, [A, B, C], TRANSACTION],
      ['follow', SHOP, stored, TRANSACTION],
      ['move', SHOP, [A, C], 'leased', [], TRANSACTION],
      ['move', SHOP, [B], 'queued', [], TRANSACTION],
    ]);
    expect(audit.entries).toEqual([]);
  });

  it('publishes each order that was delivered or failed, in the same transaction, and no other state', async () => {
    given([A, 'leased', 'delivered'], [B, 'leased', 'failed'], [C, 'queued', 'leased']);
    await update(A, B, C);
    expect(events.recorded).toEqual([
      { type: 'order.delivered', subjectId: A },
      { type: 'delivery.failed', subjectId: B },
    ]);
    expect(events.transactions).toEqual([TRANSACTION, TRANSACTION]);
  });

  it('publishes what was revoked, by a plugin or by a payment that has set the status in the same transaction, once', async () => {
    given([A, 'leased', 'revoked']);
    await update(A);
    given([A, 'revoked', 'revoked'], [B, 'revoked', 'queued']);
    await service.follow(PLUGIN, stored as EntitlingOrder[], TRANSACTION, 'queued');
    const revoked = { type: 'delivery.revoked', subjectId: A };
    expect(events.recorded).toEqual([revoked, revoked]);
    await service.follow(PLUGIN, stored.slice(0, 1) as EntitlingOrder[], TRANSACTION, 'revoked');
    await update(A);
    expect(events.recorded).toEqual([revoked, revoked]);
  });

  it('moves the other orders of the same players, too', async () => {
    given([A, 'leased', 'delivered'], [B, 'delivered', 'queued']);
    await update(A);
    const expected = [
      ['find', SHOP, [B]],
      ['move', SHOP, [A]],
      ['move', SHOP, [B]],
    ];
    expect(calls.slice(2).map((call) => call.slice(0, 3))).toEqual(expected);
  });

  it('moves orders whose deliveries were leased, and follows nothing', async () => {
    given([A, 'queued', 'leased'], [B, 'leased', 'leased']);
    await service.refresh(PLUGIN, [A, B], TRANSACTION);
    expect(calls.map(([name]) => name)).toEqual(['find', 'statesOf', 'move']);
  });

  it('changes no order that has the state already, and none without deliveries', async () => {
    given([A, 'leased', 'leased'], [B, 'delivered', null]);
    await update(A, B);
    expect([moves(), audit.entries]).toEqual([[], []]);
  });

  it.each(['delivered', 'failed', 'revoked'] as const)(
    'records in the history and in the audit log that an order is %s, and who reported it',
    async (state) => {
      const before = Date.now();
      given([A, 'leased', state], [B, 'queued', state]);
      await update(A, B);
      const entry = { at: expect.any(Date), actor: 'key:1', action: `goods_${state}`, detail: null };
      expect(moves()).toEqual([['move', SHOP, [A, B], state, [entry], TRANSACTION]]);
      const [[, , , , history] = []] = moves();
      expect((history as { at: Date }[])[0]?.at.getTime()).toBeGreaterThanOrEqual(before);
      const written = (subjectId: string, was: string): object => ({
        author: PLUGIN,
        action: 'order.delivery_changed',
        subjectId,
        changes: [{ field: 'deliveryStatus', before: was, after: state }],
      });
      expect(audit.entries).toEqual([written(A, 'leased'), written(B, 'queued')]);
      expect(audit.transactions).toEqual([TRANSACTION, TRANSACTION]);
    },
  );

  it('fails when the state table does not allow a move, and records nothing', async () => {
    given([A, 'leased', 'delivered'], [B, 'none', 'delivered'], [C, 'none', 'delivered']);
    stuck = [B, C];
    await expect(update(A, B, C)).rejects.toThrow('The delivery status of 2 orders must not become delivered');
    expect(audit.entries).toEqual([]);
  });
});

describe('redeliver', () => {
  const redeliver = (): Promise<Order> => service.redeliver(STAFF, A, { reason: 'The server had crashed' });

  it('queues the deliveries, updates the status, records who did it and why, and returns the changed order', async () => {
    const before = Date.now();
    stored = [{ id: A, deliveryStatus: 'failed' }];
    states = new Map([[A, 'queued']]);
    expect(await redeliver()).toEqual(paid(2));
    const entry = {
      at: expect.any(Date),
      actor: STAFF.principal,
      action: 'redelivered',
      detail: 'The server had crashed',
    };
    expect(calls).toEqual([
      ['queueAgain', paid(1), 'shop', {}, TRANSACTION],
      ['addHistory', SHOP, A, entry, TRANSACTION],
      ['findEntitling', SHOP, [A], TRANSACTION],
      ['follow', SHOP, stored, TRANSACTION],
      ['move', SHOP, [A], 'queued', [], TRANSACTION],
    ]);
    expect((calls[1]?.[3] as { at: Date }).at.getTime()).toBeGreaterThanOrEqual(before);
    const changes = [
      { field: 'reason', before: null, after: 'The server had crashed' },
      { field: 'deliveries', before: null, after: '2' },
    ];
    expect(audit.entries).toEqual([{ author: STAFF, action: 'order.redelivered', subjectId: A, changes }]);
    expect(audit.transactions).toEqual([TRANSACTION]);
  });

  it.each<[string, Partial<Order>, string]>([
    ['refunded', { paymentStatus: 'refunded' }, 'buyer'],
    ['charged back', { paymentStatus: 'charged_back' }, 'buyer'],
    ['disputed', { paymentStatus: 'disputed' }, 'unclear'],
    ['cancelled', { status: 'cancelled' }, 'unclear'],
  ])('queues the deliveries of an order that is %s by who has its money', async (_, fields, money) => {
    reads = [paid(1, fields), paid(2, fields)];
    await redeliver();
    expect(calls[0]).toEqual(['queueAgain', paid(1, fields), money, {}, TRANSACTION]);
  });

  it('names the item in the history and in the audit log when only one delivery is queued again', async () => {
    const items = [{ name: 'VIP' }, { name: 'Crate key' }] as unknown as Order['items'];
    reads = [paid(1, { items }), paid(2, { items })];
    queuedAgain = [aDelivery({ position: 1 })];
    await service.redeliver(STAFF, A, { reason: 'It was lost', deliveryId: 'one' });
    expect(calls[0]?.[3]).toEqual({ deliveryId: 'one' });
    expect(calls[1]?.[3]).toMatchObject({ action: 'redelivered', detail: 'Crate key: It was lost' });
    expect(audit.entries[0]?.changes).toContainEqual({ field: 'item', before: null, after: 'Crate key' });
  });

  it('rejects an order that has nothing to queue again, and writes nothing', async () => {
    queuedAgain = [];
    await expect(redeliver()).rejects.toMatchObject({ code: 'not_redeliverable' });
    expect(calls.map(([name]) => name)).toEqual(['queueAgain']);
    expect(audit.entries).toEqual([]);
  });

  it('rejects an order that the shop does not have, and queues nothing', async () => {
    reads = [];
    await expect(redeliver()).rejects.toMatchObject({ code: 'order_not_found' });
    expect([calls, audit.entries]).toEqual([[], []]);
  });
});
