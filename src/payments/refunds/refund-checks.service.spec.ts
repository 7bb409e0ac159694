import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { startClock, stopDate } from '../../../test/support/clock.js';
import { directTransactions, FakeJobs, FakeShopEvents } from '../../../test/support/fakes.js';
import { paymentEvent } from '../../../test/support/payment-events.js';
import { aRefund } from '../../../test/support/refunds.js';
import { AppError } from '../../domain/errors/app-error.js';
import { DAY_MS, MINUTE_MS } from '../../lib/time/durations.js';
import { type OrdersService } from '../../orders/order/orders.service.js';
import { type PaymentEvent } from '../../orders/order/payment-event.types.js';
import { ShopEventSubscribers } from '../../events/shop-events/shop-event-subscribers.js';
import { type ItemRefundsService } from '../../orders/settling/item-refunds.service.js';
import { type OrderSettlementService } from '../../orders/settling/order-settlement.service.js';
import { type PaymentChecksService } from '../payments/payment-checks.service.js';
import { RefundOutcomesService } from './refund-outcomes.service.js';
import { RefundChecksService } from './refund-checks.service.js';
import { type Refund } from './refund.types.js';
import { type RefundRequestsService } from './refund-requests.service.js';
import { type RefundChange, type RefundsRepository } from './refunds.repository.js';

let due: Refund[];
let payments: PaymentEvent[];
let queried: string[];
let query: () => Promise<void>;
let queriedOrders: [shopId: string, orderId: string, provider: string][];
let onQuery: () => void;
let changes: [id: string, change: RefundChange][];
let scheduled: [id: string, dueAt: Date | null][];
/** What storing the time of the next check of a refund fails with. */
let unstorable: Map<string, Error>;
let events: FakeShopEvents;
/** When the stored refund is due. */
let storedDueAt: Date | null;
let jobs: FakeJobs;
/** For how long the service claimed refunds. */
let leaseMs: number;

const old = (ms: number, fields: Partial<Refund> = {}): Refund =>
  aRefund({ createdAt: new Date(Date.now() - ms), checks: 3, ...fields });
const PENDING = { state: 'pending', refundId: 're_1' } as const;
const run = (): Promise<void> => jobs.runRound('refunds');
/** The next check of a refund that was checked three times. */
const in8Minutes = (): Date => new Date(Date.now() + 8 * MINUTE_MS);

beforeEach(() => {
  stopDate(new Date());
  Logger.overrideLogger(false);
  payments = [];
  queried = [];
  query = () => Promise.resolve();
  queriedOrders = [];
  onQuery = () => undefined;
  changes = [];
  scheduled = [];
  unstorable = new Map();
  jobs = new FakeJobs();
  events = new FakeShopEvents();
  storedDueAt = new Date();
  const repository = {
    hasDue: () => Promise.resolve(due.length > 0),
    claimDue: (provider: string, now: Date, leaseUntil: Date) => {
      leaseMs = leaseUntil.getTime() - now.getTime();
      const claimed = due.filter((one) => one.provider === provider);
      due = due.filter((one) => one.provider !== provider);
      return Promise.resolve(claimed);
    },
    change: (_shop: string, id: string, change: RefundChange) => {
      changes.push([id, change]);
      return Promise.resolve(true);
    },
    schedule: (_shop: string, id: string, dueAt: Date | null) => {
      scheduled.push([id, dueAt]);
      const failure = unstorable.get(id);
      return failure === undefined ? Promise.resolve() : Promise.reject(failure);
    },
    find: () => Promise.resolve({ dueAt: storedDueAt }),
  } as unknown as RefundsRepository;
  const orders = { get: () => Promise.resolve({ payments }) } as unknown as OrdersService;
  new RefundChecksService(
    repository,
    {
      requestOrGiveUp: async ({ id }: Refund) => {
        queried.push(id);
        await query();
      },
    } as unknown as RefundRequestsService,
    new RefundOutcomesService(
      repository,
      orders,
      {} as OrderSettlementService,
      {} as ItemRefundsService,
      events.asService,
      new ShopEventSubscribers(),
      directTransactions,
    ),
    orders,
    {
      refresh: (...about: [string, string, string]) => {
        queriedOrders.push(about);
        onQuery();
        return Promise.resolve([]);
      },
    } as unknown as PaymentChecksService,
    directTransactions,
    jobs.asService,
  );
});
afterEach(startClock);

describe('RefundChecksService', () => {
  it('requests an unconfirmed refund again, or gives it up', async () => {
    due = [old(0)];
    await run();
    expect(queried).toEqual([aRefund().id]);
    expect([changes, queriedOrders]).toEqual([[], []]);
  });

  it('checks each refund of a round, with a lease much longer than the timeout of a provider', async () => {
    due = [old(0), old(0, { id: 'other' })];
    await run();
    expect(queried.sort()).toEqual([aRefund().id, 'other'].sort());
    expect(leaseMs).toBe(2 * MINUTE_MS);
  });

  it('keeps a refund claimed that cannot be postponed, and logs both problems', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    due = [old(0)];
    query = () => Promise.reject(new AppError('provider_unavailable'));
    unstorable = new Map([[aRefund().id, new Error('no database')]]);
    await expect(run()).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(warn.mock.calls.map(([message]) => message as unknown)).toEqual([
      `Refund ${aRefund().id} could not be completed yet`,
      `Refund ${aRefund().id} could not be postponed`,
    ]);
    warn.mockRestore();
  });

  it('stops without a query when the order knows how the refund ended', async () => {
    due = [old(DAY_MS, PENDING)];
    payments = [paymentEvent('refund.succeeded', 6, { refundId: 're_1' })];
    await run();
    expect(queriedOrders).toEqual([]);
    expect(changes).toEqual([[aRefund().id, { state: 'succeeded', refundId: 're_1', failure: null, dueAt: null }]]);
  });

  it('queries the provider when the order has no outcome, and stops when the response has it', async () => {
    due = [old(DAY_MS, PENDING)];
    onQuery = () => void (payments = [paymentEvent('refund.failed', 6, { refundId: 're_1' })]);
    await run();
    expect(queriedOrders).toEqual([[aRefund().shopId, aRefund().orderId, 'stripe']]);
    expect(changes).toMatchObject([[aRefund().id, { state: 'failed', dueAt: null }]]);
  });

  it.each([
    [60 * DAY_MS, true],
    [60 * DAY_MS + 1, false],
  ])(
    'checks again later, after three checks in eight minutes, until the refund is 60 days old: %i ms',
    async (age, isWatched) => {
      due = [old(age, { ...PENDING, state: 'succeeded' })];
      await run();
      const dueAt = isWatched ? in8Minutes() : null;
      expect(changes).toMatchObject([[aRefund().id, { state: 'succeeded', refundId: 're_1', dueAt }]]);
    },
  );

  it('publishes once that a refund is still pending when the service stops checking it, with its id', async () => {
    const abandoned = old(60 * DAY_MS + 1, PENDING);
    due = [abandoned, { ...abandoned, id: 'other', state: 'succeeded' }];
    await run();
    const { provider, paymentId, amountMinor, currency, refundId, orderId } = abandoned;
    const details = { provider, paymentId, amountMinor, currency, refundId };
    expect(events.recorded).toEqual([{ type: 'refund.unconfirmed', subjectId: orderId, details }]);
    due = [old(60 * DAY_MS, PENDING)];
    await run();
    // Another process has stopped it in the meantime.
    storedDueAt = null;
    due = [abandoned];
    await run();
    expect(events.recorded).toHaveLength(1);
  });

  it('postpones a refund when the provider does not respond, and completes the others', async () => {
    due = [old(0), old(0, { id: 'other' })];
    query = () =>
      queried.at(-1) === 'other' ? Promise.resolve() : Promise.reject(new AppError('provider_unavailable'));
    await expect(run()).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(queried).toContain('other');
    expect(scheduled).toEqual([[aRefund().id, in8Minutes()]]);
  });
});
