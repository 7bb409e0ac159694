import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type PaymentConfiguration } from '../accounts/payment-configuration.types.js';
import { Logger } from '@nestjs/common';
import {
  type Call,
  directTransactions,
  FakeAudit,
  FakeProviderHealth,
  recording,
  TRANSACTION,
} from '../../../test/support/fakes.js';
import { PaymentInboxWorld, type Step } from '../../../test/support/payment-inbox.js';
import { type Transactions } from '../../infrastructure/database/transactions.js';
import { type OrdersService } from '../../orders/order/orders.service.js';
import { type OrderSettlementService } from '../../orders/settling/order-settlement.service.js';
import { settle } from '../../orders/settling/settlement-rules.js';
import { type InboxEventsRepository } from './inbox-events.repository.js';
import { PaymentInboxService } from './payment-inbox.service.js';
import { type ProviderEvent } from '../providers/provider.js';
import { UnreadableEvent } from '../providers/unreadable-event.js';

const SHOP = '655f1c2ab1e4a9d3f0c81234';
const ORDER = '655f1c2ab1e4a9d3f0c81250';

type DetailChanges = Partial<NonNullable<ProviderEvent['payment']>>;

function providerEvent(eventId: string, changes: DetailChanges): ProviderEvent {
  const payment = {
    type: 'payment.succeeded' as const,
    orderId: ORDER,
    paymentId: 'pi_1',
    amountMinor: 1999,
    currency: 'EUR',
    occurredAt: new Date('2026-11-21T12:00:00.000Z'),
    cumulative: false,
  };
  return { eventId, kind: 'any', payment: { ...payment, ...changes } };
}

const PAID = providerEvent('evt_paid', {});
const REFUND = providerEvent('evt_refund', {
  type: 'refund.succeeded',
  orderId: null,
  amountMinor: 500,
  cumulative: true,
  occurredAt: new Date('2026-11-21T13:00:00.000Z'),
});

let world: PaymentInboxWorld;
/** Whether another shop has the order that an event names. */
let orderOfOtherShop: boolean;
let health: FakeProviderHealth;
let audit: FakeAudit;
let service: PaymentInboxService;

beforeAll(() => Logger.overrideLogger(false));
afterAll(() => Logger.overrideLogger(['log', 'error', 'warn', 'debug', 'verbose', 'fatal']));
beforeEach(() => {
  world = new PaymentInboxWorld([ORDER]);
  orderOfOtherShop = false;
  health = new FakeProviderHealth();
  audit = new FakeAudit();
  service = new PaymentInboxService(
    world.repository as InboxEventsRepository,
    {
      find: (_shopId: string, id: string) => Promise.resolve(id === ORDER ? {} : null),
      findPublic: () => Promise.resolve(orderOfOtherShop ? {} : null),
    } as unknown as OrdersService,
    world.settlement as unknown as OrderSettlementService,
    health.asService,
    audit.asService,
    world.transactions as unknown as Transactions,
  );
});

const receive = (...events: ProviderEvent[]) => service.receive(SHOP, 'stripe', events);

describe('PaymentInboxService.receive', () => {
  it('applies an event once, also when it is sent several times', async () => {
    expect(await receive(PAID)).toEqual([{ eventId: 'evt_paid', state: 'processed', problem: null, duplicate: false }]);
    expect(await receive(PAID)).toEqual([{ eventId: 'evt_paid', state: 'processed', problem: null, duplicate: true }]);
    expect(world.ledger).toEqual([
      {
        provider: 'stripe',
        eventId: 'evt_paid',
        type: 'payment.succeeded',
        paymentId: 'pi_1',
        amountMinor: 1999,
        currency: 'EUR',
        occurredAt: new Date('2026-11-21T12:00:00.000Z'),
        cumulative: false,
      },
    ]);
    expect(world.event('evt_paid').attempts).toBe(1);
  });

  it('returns and stores why a person has to look at the order, also for a repetition', async () => {
    world.reviewProblem = '5.00 EUR arrived, 19.99 EUR was due';
    const result = { eventId: 'evt_paid', state: 'processed', problem: world.reviewProblem };
    expect(await receive(PAID)).toEqual([{ ...result, duplicate: false }]);
    expect(await receive(PAID)).toEqual([{ ...result, duplicate: true }]);
    expect(world.event('evt_paid')).toMatchObject({ problem: world.reviewProblem });
  });

  it.each<Step>(['store', 'read', 'apply', 'mark', 'commit', 'response'])(
    'applies an event once when the process stops before the step "%s" and the event is sent again',
    async (step) => {
      world.stopBefore = step;
      await receive(PAID).catch(() => undefined);
      world.stopBefore = null;
      expect((await receive(PAID)).map(({ state }) => state)).toEqual(['processed']);
      expect(world.ledger).toHaveLength(1);
    },
  );

  it('stores an event of an unknown kind as ignored, also when it is repeated', async () => {
    const unknown = { eventId: 'evt_x', kind: 'invoice.paid', payment: null };
    expect(await receive(unknown)).toEqual([{ eventId: 'evt_x', state: 'ignored', problem: null, duplicate: false }]);
    expect(await receive(unknown)).toEqual([{ eventId: 'evt_x', state: 'ignored', problem: null, duplicate: true }]);
    expect(world.ledger).toEqual([]);
  });

  it('stores a refund that arrives before its payment, and applies it with the payment', async () => {
    expect(await receive(REFUND)).toEqual([
      { eventId: 'evt_refund', state: 'received', problem: null, duplicate: false },
    ]);
    expect(await receive(REFUND)).toEqual([
      { eventId: 'evt_refund', state: 'received', problem: null, duplicate: true },
    ]);
    await receive(PAID);
    expect(world.ledger.map(({ eventId }) => eventId)).toEqual(['evt_paid', 'evt_refund']);
    expect(world.event('evt_refund')).toMatchObject({ state: 'processed', orderId: ORDER });
  });

  it('applies many events that waited in several transactions, and the event that names their order in the last one', async () => {
    const waiting = Array.from({ length: 120 }, (_, index) => providerEvent(`w${index}`, { orderId: null }));
    await receive(...waiting);
    const sizes: number[] = [];
    const { run } = world.transactions;
    world.transactions.run = async (work) => {
      const before = world.ledger.length;
      const result = await run(work);
      sizes.push(world.ledger.length - before);
      return result;
    };
    expect(await receive(PAID)).toEqual([{ eventId: 'evt_paid', state: 'processed', problem: null, duplicate: false }]);
    expect(sizes).toEqual([50, 50, 21]);
    expect(world.ledger[100]?.eventId).toBe('evt_paid');
    expect(world.inbox.every(({ state }) => state === 'processed')).toBe(true);
  });

  it('continues after a stop between two transactions when the event is sent again', async () => {
    await receive(...Array.from({ length: 120 }, (_, index) => providerEvent(`w${index}`, { orderId: null })));
    const { run } = world.transactions;
    world.transactions.run = async (work) => {
      if (world.ledger.length >= 50) throw new Error('stopped');
      return run(work);
    };
    await expect(receive(PAID)).rejects.toThrow('stopped');
    expect([world.ledger.length, world.event('evt_paid').state]).toEqual([50, 'received']);
    world.transactions.run = run;
    expect((await receive(PAID)).map(({ state }) => state)).toEqual(['processed']);
    expect(new Set(world.ledger.map(({ eventId }) => eventId)).size).toBe(121);
  });

  it('applies a waiting event that is repeated after its order became known', async () => {
    await receive(REFUND);
    world.inbox.push({
      ...world.event('evt_refund'),
      id: 'named',
      eventId: 'evt_named',
      orderId: ORDER,
      state: 'processed',
    });
    expect(await receive(REFUND)).toEqual([
      { eventId: 'evt_refund', state: 'processed', problem: null, duplicate: true },
    ]);
  });

  it('assigns a waiting event no order that only a failed event names', async () => {
    world.orders.clear();
    await receive(PAID);
    expect(await receive(REFUND)).toEqual([
      { eventId: 'evt_refund', state: 'received', problem: null, duplicate: false },
    ]);
  });

  it('marks an event of an unknown order as failed, and makes another attempt when the event is repeated', async () => {
    world.orders.clear();
    const problem = `The event payment.succeeded of the payment pi_1 over 19.99 EUR names the order ${ORDER}, which the shop does not have`;
    const failed = { eventId: 'evt_paid', state: 'failed', problem };
    expect(await receive(PAID)).toEqual([{ ...failed, duplicate: false }]);
    expect(await receive(PAID)).toEqual([{ ...failed, duplicate: true }]);
    expect(world.event('evt_paid')).toMatchObject({ failure: 'order_not_found', attempts: 2 });
    world.orders.add(ORDER);
    expect(await receive(PAID)).toEqual([{ eventId: 'evt_paid', state: 'processed', problem: null, duplicate: true }]);
  });

  it('notifies the owners once about money that belongs to no order', async () => {
    world.orders.clear();
    await receive(PAID);
    await receive(PAID);
    const reason = `The event payment.succeeded of the payment pi_1 over 19.99 EUR names the order ${ORDER}, which the shop does not have`;
    expect(health.unapplied).toEqual([['order_not_found', reason]]);
  });

  it.each([
    ['an order of another shop with the same account', true, PAID],
    ['a payment of an unknown order that failed', false, providerEvent('evt_failed', { type: 'payment.failed' })],
  ])('notifies nobody about %s', async (_, isOfOtherShop, event) => {
    world.orders.clear();
    orderOfOtherShop = isOfOtherShop;
    expect(await receive(event)).toMatchObject([{ state: 'failed' }]);
    expect(health.unapplied).toEqual([]);
  });

  it('marks an event as failed when applying it throws, and applies it when the event is repeated', async () => {
    world.stopBefore = 'apply';
    await expect(receive(PAID)).rejects.toThrow('stopped before apply');
    expect(world.event('evt_paid')).toMatchObject({ state: 'failed', failure: 'internal_error', attempts: 1 });
    expect(health.unapplied).toEqual([
      ['internal_error', expect.stringMatching(/because of an error of this service$/)],
    ]);
    expect(await receive(PAID)).toEqual([{ eventId: 'evt_paid', state: 'processed', problem: null, duplicate: true }]);
  });

  it('applies every event of a request', async () => {
    expect((await receive(PAID, REFUND)).map(({ state }) => state)).toEqual(['processed', 'processed']);
  });

  it('reaches the same state for all 120 orders of arrival of five events, three of which name no order (complaint 19)', async () => {
    const at = (hour: number): Date => new Date(Date.UTC(2026, 10, 21, hour));
    const events = [
      providerEvent('1', { type: 'payment.pending', occurredAt: at(1) }),
      providerEvent('2', { occurredAt: at(2) }),
      providerEvent('3', { type: 'dispute.opened', orderId: null, occurredAt: at(3) }),
      providerEvent('4', { type: 'dispute.won', orderId: null, occurredAt: at(4) }),
      providerEvent('5', {
        type: 'refund.succeeded',
        orderId: null,
        amountMinor: 500,
        cumulative: true,
        occurredAt: at(5),
      }),
    ];
    const ends = new Set<string>();
    for (const order of permutations(events)) {
      Object.assign(world, { inbox: [], ledger: [] });
      for (const event of order) await receive(event);
      expect(world.inbox.every(({ state }) => state === 'processed')).toBe(true);
      expect(world.ledger).toHaveLength(5);
      ends.add(
        JSON.stringify(
          settle({ totalMinor: 1999, currency: 'EUR', review: null, createdAt: new Date(0) }, world.ledger),
        ),
      );
    }
    expect([...ends].map((end) => JSON.parse(end) as unknown)).toEqual([
      {
        paymentStatus: 'partially_refunded',
        paidAt: at(2).toISOString(),
        reversals: [{ kind: 'refund', amountMinor: 500, at: at(5).toISOString() }],
      },
    ]);
  });
});

describe('PaymentInboxService.requireForeign', () => {
  const NOBODYS = '655f1c2ab1e4a9d3f0c89999';
  const unreadable = (orderId: string | null, ...paymentIds: unknown[]): UnreadableEvent =>
    new UnreadableEvent('amount must be a number', { eventId: 'evt_x', kind: 'any' }, { orderId, paymentIds });
  const requireForeign = (event: UnreadableEvent) => service.requireForeign(SHOP, 'stripe', event);

  it('accepts an event that names nothing of the shop', async () => {
    await receive(PAID);
    await expect(requireForeign(unreadable(null, 'pi_other', { $ne: 1 }, ''))).resolves.toBeUndefined();
    await expect(requireForeign(unreadable(NOBODYS))).resolves.toBeUndefined();
  });

  it('rejects an event that names an order of the shop, or one of its payments', async () => {
    await receive(PAID);
    for (const event of [unreadable(ORDER), unreadable(null, 'ch_1', 'pi_1')]) {
      await expect(requireForeign(event)).rejects.toBe(event);
    }
  });
});

describe('PaymentInboxService for staff', () => {
  const health = new FakeProviderHealth();

  it('lists the events of the shop', async () => {
    const [filter, request] = [{ state: 'failed' }, { limit: 5, after: null }] as const;
    const page = { items: [], nextCursor: null };
    const repository = recording<InboxEventsRepository>([], { list: () => Promise.resolve(page as never) });
    const own = new PaymentInboxService(
      repository,
      {} as OrdersService,
      {} as OrderSettlementService,
      health.asService,
      audit.asService,
      directTransactions,
    );
    expect(await own.list({ shopId: SHOP, principal: 'user:1' }, filter, request)).toBe(page);
  });

  it('stores rejected requests, in one transaction with the health of the provider', async () => {
    const calls: Call[] = [];
    const repository = recording<InboxEventsRepository>(calls, { storeRejection: () => Promise.resolve() });
    const own = new PaymentInboxService(
      repository,
      {} as OrdersService,
      {} as OrderSettlementService,
      health.asService,
      audit.asService,
      directTransactions,
    );
    await own.reject({ shopId: SHOP, provider: 'stripe' } as PaymentConfiguration, 'no signature');
    expect(calls).toEqual([['storeRejection', SHOP, 'stripe', 'no signature', expect.any(Date), TRANSACTION]]);
    expect(health.rejections).toEqual(['no signature']);
  });
});

describe('PaymentInboxService.replay', () => {
  const AUTHOR = { shopId: SHOP, principal: 'user:1' };
  const replayed = (id: string, changes: object[]): object => ({
    author: AUTHOR,
    action: 'payment_event.replayed',
    subjectId: id,
    changes,
  });

  it('applies a failed event and records it in the audit log', async () => {
    world.orders.clear();
    await receive(PAID);
    const { id, state } = world.event('evt_paid');
    expect(state).toBe('failed');
    world.orders.add(ORDER);
    expect(await service.replay(AUTHOR, id)).toMatchObject({ id, state: 'processed' });
    expect(world.ledger).toHaveLength(1);
    expect(audit.entries).toEqual([replayed(id, [{ field: 'state', before: 'failed', after: 'processed' }])]);
  });

  it('keeps an applied event unchanged', async () => {
    await receive(PAID);
    const { id } = world.event('evt_paid');
    expect(await service.replay(AUTHOR, id)).toMatchObject({ state: 'processed', attempts: 1 });
    expect(world.ledger).toHaveLength(1);
    expect(audit.entries).toEqual([replayed(id, [])]);
  });

  it('throws payment_event_not_found for an unknown event', async () => {
    await expect(service.replay(AUTHOR, '7')).rejects.toMatchObject({ code: 'payment_event_not_found' });
    expect(audit.entries).toEqual([]);
  });

  it('throws payment_event_not_found for an event that was deleted in the meantime', async () => {
    await receive(PAID);
    const { id } = world.event('evt_paid');
    const { find } = world.repository;
    world.repository.find = (shopId, eventId, transaction) =>
      transaction === null ? find(shopId, eventId, transaction) : Promise.resolve(null);
    await expect(service.replay(AUTHOR, id)).rejects.toMatchObject({ code: 'payment_event_not_found' });
    expect(audit.entries).toEqual([]);
  });
});

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, at) =>
    permutations(items.filter((_, other) => other !== at)).map((rest) => [item, ...rest]),
  );
}
