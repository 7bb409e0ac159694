import { type UpgradesService } from '../../orders/entitlements/upgrades.service.js';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { startClock, stopDate } from '../../../test/support/clock.js';
import { SHOP } from '../../../test/support/contexts.js';
import {
  FakeAudit,
  FakeProviderHealth,
  FakeShopEvents,
  TRANSACTION,
  transactionsInTurns,
} from '../../../test/support/fakes.js';
import { paymentEvent } from '../../../test/support/payment-events.js';
import { accountWith } from '../../../test/support/provider-accounts.js';
import { aRefund } from '../../../test/support/refunds.js';
import { AppError } from '../../domain/errors/app-error.js';
import { DAY_MS, MINUTE_MS } from '../../lib/time/durations.js';
import { type Transaction, type TransactionOptions } from '../../infrastructure/database/transactions.js';
import { type Creation, newCreation } from '../../infrastructure/idempotency/creation.js';
import { type HistoryEntry } from '../../orders/order/order.types.js';
import { type OrdersService } from '../../orders/order/orders.service.js';
import { type PaymentEvent } from '../../orders/order/payment-event.types.js';
import { ShopEventSubscribers } from '../../events/shop-events/shop-event-subscribers.js';
import { type ItemRefundsService } from '../../orders/settling/item-refunds.service.js';
import { type OrderSettlementService } from '../../orders/settling/order-settlement.service.js';
import { type PaymentAccountsService } from '../accounts/payment-accounts.service.js';
import { type PaymentChecksService } from '../payments/payment-checks.service.js';
import { CredentialsRejected } from '../providers/provider-errors.js';
import { type NewRefund, type StartedRefund } from '../providers/provider.js';
import { type Refund } from './refund.types.js';
import { RefundOutcomesService } from './refund-outcomes.service.js';
import { RefundRequestsService } from './refund-requests.service.js';
import { type RefundChange, type RefundsRepository } from './refunds.repository.js';
import { RefundsService } from './refunds.service.js';

const AUTHOR = { shopId: SHOP, principal: 'user:1' };
const { orderId: ORDER } = aRefund();
const ACCOUNT = accountWith({});

let payments: PaymentEvent[];
let stored: Refund[];
let requested: NewRefund[];
let respond: () => StartedRefund;
/** What the account can do; null: the provider is switched off. */
let provider: object | null;
/** What the provider reports of the payments of the order. */
let report: () => { readonly payment: object | null }[];
let isOvertaken: boolean;
let history: [orderId: string, entry: HistoryEntry][];
let queues: TransactionOptions['oneAtATime'][];
let audit: FakeAudit;
let events: FakeShopEvents;
/** The events that the orders got. */
let reports: [orderId: string, report: PaymentEvent, transaction: Transaction][];
let requests: RefundRequestsService;
let service: RefundsService;

const repository: Partial<RefundsRepository> = {
  list: (_shop, orderId) => Promise.resolve(stored.filter((refund) => refund.orderId === orderId)),
  find: (_shop, id) => Promise.resolve(stored.find((refund) => refund.id === id) ?? null),
  insert: (shopId, values) => {
    const refund = { shopId, ...values };
    stored.push(refund);
    return Promise.resolve(refund);
  },
  change: (_shop, id, change: RefundChange) => {
    const at = stored.findIndex((refund) => refund.id === id);
    if (isOvertaken) return Promise.resolve(false);
    stored[at] = { ...(stored[at] ?? aRefund()), ...change };
    return Promise.resolve(true);
  },
};

beforeEach(() => {
  stopDate(new Date());
  payments = [paymentEvent('payment.succeeded', 5)];
  stored = [];
  requested = [];
  respond = () => ({ refundId: 're_1', state: 'pending', failure: null });
  provider = {
    refund: (refund: NewRefund, account: unknown) => {
      expect(account).toBe(ACCOUNT);
      requested.push(refund);
      return Promise.resolve().then(respond);
    },
  };
  report = () => [];
  isOvertaken = false;
  history = [];
  queues = [];
  audit = new FakeAudit();
  events = new FakeShopEvents();
  reports = [];
  const transactions = transactionsInTurns(queues);
  const orders = {
    get: () => Promise.resolve({ payments }),
    addHistory: (_shop: string, orderId: string, entry: HistoryEntry) => {
      history.push([orderId, entry]);
      return Promise.resolve();
    },
  } as unknown as OrdersService;
  const itemRefunds = { add: () => Promise.resolve() } as unknown as ItemRefundsService;
  const outcomes = new RefundOutcomesService(
    repository as RefundsRepository,
    orders,
    {
      apply: (_shop: string, ...applied: (typeof reports)[number]) => {
        reports.push(applied);
        return Promise.resolve({ outcome: 'applied', problem: null });
      },
    } as unknown as OrderSettlementService,
    itemRefunds,
    events.asService,
    new ShopEventSubscribers(),
    transactions,
  );
  requests = new RefundRequestsService(
    repository as RefundsRepository,
    {
      find: () => Promise.resolve(provider && { provider, account: ACCOUNT }),
    } as unknown as PaymentAccountsService,
    new FakeProviderHealth().asService,
    {
      refresh: (...query: string[]) => {
        expect(query).toEqual([SHOP, ORDER, 'stripe']);
        return Promise.resolve().then(report);
      },
    } as unknown as PaymentChecksService,
    outcomes,
  );
  service = new RefundsService(
    repository as RefundsRepository,
    orders,
    requests,
    { uppersOf: () => Promise.resolve([]) } as unknown as UpgradesService,
    itemRefunds,
    audit.asService,
    transactions,
  );
});
afterEach(startClock);

/** A refund that the provider has not confirmed, as the only stored one. */
const lostRefund = (age = 45 * MINUTE_MS): Refund => {
  const refund = aRefund({ createdAt: new Date(Date.now() - age) });
  stored = [refund];
  return refund;
};
const create = (request: object = {}, creation: Creation = newCreation()): Promise<Refund> =>
  service.create(AUTHOR, creation, ORDER, { reason: 'Bought twice', ...request });
const rejected = (message: string | RegExp): unknown =>
  expect.objectContaining({ code: 'not_refundable', message: expect.stringMatching(message) });

describe('RefundsService', () => {
  it('stores a refund with history and audit entry before the request to the provider', async () => {
    respond = () => {
      expect(stored).toMatchObject([{ state: 'requested', amountMinor: 250 }]);
      return { refundId: 're_1', state: 'pending', failure: null };
    };
    const creation = newCreation();
    const refund = await create({ amount: 2.5 }, creation);
    expect(refund).toMatchObject({ id: creation.id, state: 'pending', refundId: 're_1', principal: 'user:1' });
    expect(requested).toMatchObject([
      { id: creation.id, orderId: ORDER, paymentId: 'pay_1', amountMinor: 250, currency: 'EUR' },
    ]);
    const entry = { actor: 'user:1', action: 'refund_requested', detail: '2.50 EUR: Bought twice' };
    expect(history).toEqual([[ORDER, expect.objectContaining(entry)]]);
    expect(audit.entries).toMatchObject([{ author: AUTHOR, action: 'order.refund_requested', subjectId: ORDER }]);
    expect(audit.entries[0]?.changes?.map(({ after }) => after)).toEqual([
      '2.50 EUR',
      'stripe',
      'pay_1',
      'Bought twice',
    ]);
    expect(queues[0]).toEqual(expect.arrayContaining([`paymentsOfOrder:${ORDER}`]));
  });

  it.each(['pending', 'succeeded'] as const)(
    'checks after two minutes whether the webhook of a refund has come that the provider reports as %s',
    async (state) => {
      respond = () => ({ refundId: 're_1', state, failure: null });
      expect((await create()).dueAt).toEqual(new Date(Date.now() + 2 * MINUTE_MS));
    },
  );

  it('refunds all that is left without an amount, and returns the state of the order', async () => {
    stored = [aRefund({ id: 'earlier', state: 'pending', refundId: 're_0' })];
    respond = () => {
      payments.push(paymentEvent('refund.succeeded', 6, { refundId: 're_1', amountMinor: 500 }));
      return { refundId: 're_1', state: 'pending', failure: null };
    };
    expect(await create()).toMatchObject({ amountMinor: 500, state: 'succeeded' });
    expect(await service.list(SHOP, ORDER)).toMatchObject([{ state: 'pending' }, { state: 'succeeded' }]);
  });

  it.each<[string, () => void, object, unknown]>([
    ['nothing was paid', () => void (payments = []), {}, rejected(/^Nothing was paid$/)],
    ['less is left', () => undefined, { amount: 10.01 }, rejected(/^At most 10.00 EUR/)],
    [
      'the amount has too many decimals',
      () => undefined,
      { amount: 1.001 },
      expect.objectContaining({ code: 'validation_failed' }),
    ],
    ['the payment is unknown', () => undefined, { paymentId: 'pay_9' }, rejected(/no such payment/)],
    ['the provider is switched off', () => void (provider = null), {}, rejected(/cannot use the provider stripe now/)],
    ['the provider takes none', () => void (provider = {}), {}, rejected(/does not accept refunds from this service/)],
  ])('stores no refund when %s', async (_, change, request, error) => {
    change();
    await expect(create(request)).rejects.toEqual(error);
    expect([stored, history, audit.entries, requested]).toEqual([[], [], [], []]);
  });

  it('stores a failure with the word of the provider, and schedules no check', async () => {
    respond = () => ({ refundId: null, state: 'failed', failure: 'charge_disputed' });
    await expect(create()).rejects.toEqual(rejected(/^The provider did not make the refund: charge_disputed$/));
    expect(stored).toMatchObject([{ state: 'failed', failure: 'charge_disputed', dueAt: null }]);
    const details = { provider: 'stripe', paymentId: 'pay_1', amountMinor: 1_000, currency: 'EUR' };
    const failed = { type: 'refund.failed', subjectId: ORDER, details: { ...details, reason: 'charge_disputed' } };
    expect(events.recorded).toEqual([failed]);
  });

  it('leaves it to the order to publish a failure that the webhooks of the provider report too', async () => {
    respond = () => ({ refundId: 're_1', state: 'failed', failure: 'insufficient_funds' });
    await expect(create({ amount: 2.5 })).rejects.toEqual(rejected(/: insufficient_funds$/));
    const report = paymentEvent('refund.failed', 0, {
      ...{ eventId: 're_1-failed', refundId: 're_1', failure: 'insufficient_funds', amountMinor: 250 },
      occurredAt: new Date(),
    });
    expect(reports).toEqual([[ORDER, report, TRANSACTION]]);
    expect(events.recorded).toEqual([]);
    expect(queues.at(-1)).toEqual([`paymentsOfOrder:${ORDER}`, `payment:${SHOP}:stripe:pay_1`]);
  });

  it('lists a refund that failed later with the reason that the provider reported', async () => {
    stored = [aRefund({ state: 'succeeded', refundId: 're_1' }), aRefund({ id: 'other', refundId: 're_2' })];
    payments.push(paymentEvent('refund.failed', 6, { refundId: 're_1', failure: 'insufficient_funds' }));
    expect(await service.list(SHOP, ORDER)).toMatchObject([
      { state: 'failed', failure: 'insufficient_funds' },
      { state: 'requested', failure: null },
    ]);
  });

  it('publishes once that a refund failed, also when two overlapping requests of it are rejected', async () => {
    const refund = aRefund({ createdAt: new Date() });
    stored = [refund];
    respond = () => ({ refundId: null, state: 'failed', failure: 'charge_disputed' });
    await requests.requestOrGiveUp(refund);
    // It was read before the first one was recorded.
    await requests.requestOrGiveUp(refund);
    expect(requested).toHaveLength(2);
    expect(events.recorded).toMatchObject([{ type: 'refund.failed' }]);
  });

  it('fails a first request that the key has no permission for, and lets a repeated one wait until a query shows that none was made', async () => {
    respond = () => {
      throw new CredentialsRejected('stripe', 403);
    };
    await expect(create()).rejects.toEqual(rejected(/not_permitted$/));
    const repeated = lostRefund(MINUTE_MS);
    await expect(requests.requestOrGiveUp(repeated)).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(stored).toMatchObject([{ state: 'requested', failure: null }]);
    report = () => [{ payment: paymentEvent('payment.succeeded', 5) }];
    expect(await requests.requestOrGiveUp(lostRefund())).toMatchObject({ state: 'failed', failure: 'not_permitted' });
  });

  it('stores a failure without a reason when the provider has none', async () => {
    respond = () => ({ refundId: null, state: 'failed', failure: null });
    await expect(create()).rejects.toEqual(rejected(/^The provider did not make the refund: no reason given$/));
  });

  it('keeps a refund requested and due in a minute when the provider does not respond', async () => {
    respond = () => {
      throw new AppError('provider_unavailable');
    };
    await expect(create()).rejects.toMatchObject({ code: 'provider_unavailable' });
    const dueAt = new Date(Date.now() + MINUTE_MS);
    expect(stored).toMatchObject([{ state: 'requested', checks: 0, dueAt }]);
  });

  it('returns the same refund in a repetition, and requests it only while it is unconfirmed', async () => {
    const creation = { ...newCreation(), isRepeated: true };
    stored = [aRefund({ id: creation.id, createdAt: new Date() })];
    expect(await create({ amount: 1 }, creation)).toMatchObject({
      id: creation.id,
      state: 'pending',
      amountMinor: 500,
    });
    expect(await create({ amount: 1 }, creation)).toMatchObject({ id: creation.id, state: 'pending' });
    expect([requested.length, stored.length]).toEqual([1, 1]);
    const unknown = { ...newCreation(), isRepeated: true };
    expect(await create({ amount: 1 }, unknown)).toMatchObject({ id: unknown.id, amountMinor: 100 });
  });

  it('returns the later state that a parallel request has recorded', async () => {
    stored = [aRefund({ state: 'succeeded', refundId: 're_1' })];
    isOvertaken = true;
    expect(await requests.requestOrGiveUp(aRefund({ createdAt: new Date() }))).toMatchObject({ state: 'succeeded' });
    expect(await requests.requestOrGiveUp(aRefund())).toMatchObject({ state: 'succeeded' });
  });

  it('gives a refund up before a provider could forget the key and pay twice, also in a repetition', async () => {
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const creation = { ...newCreation(), isRepeated: true };
    stored = [aRefund({ id: creation.id, createdAt: new Date(Date.now() - 45 * MINUTE_MS) })];
    const error = rejected(/^The provider never confirmed the refund: check its dashboard/);
    await expect(create({}, creation)).rejects.toEqual(error);
    await expect(create({}, creation)).rejects.toEqual(error);
    expect(requested).toEqual([]);
    expect(stored).toMatchObject([{ state: 'failed', refundId: null, failure: 'not_confirmed', dueAt: null }]);
    const details = { provider: 'stripe', paymentId: 'pay_1', amountMinor: 500, currency: 'EUR', refundId: null };
    expect(events.recorded).toEqual([{ type: 'refund.unconfirmed', subjectId: ORDER, details }]);
    const says = `The provider never confirmed refund ${creation.id} of order ${ORDER}: check its dashboard`;
    expect(log.mock.calls).toEqual([[says]]);
    log.mockRestore();
  });

  it.each(['pending', 'succeeded', 'failed'] as const)(
    'takes over a refund that the provider made although its response was lost, and reports as %s',
    async (state) => {
      const refund = lostRefund();
      const occurredAt = new Date(refund.createdAt.getTime() + 1_000);
      const made = { refundId: 're_1', amountMinor: 500, occurredAt, failure: 'canceled' };
      report = () => [
        { payment: paymentEvent('payment.succeeded', 5) },
        { payment: null },
        { payment: paymentEvent(`refund.${state}`, 6, made) },
      ];
      const dueAt = state === 'failed' ? null : new Date(Date.now() + 2 * MINUTE_MS);
      expect(await requests.requestOrGiveUp(refund)).toMatchObject({ state, refundId: 're_1', dueAt });
      expect([requested, events.recorded]).toEqual([[], []]);
    },
  );

  it('requests a refund again after 45 minutes if the provider has not made it', async () => {
    report = () => [{ payment: paymentEvent('payment.succeeded', 5) }];
    expect(await requests.requestOrGiveUp(lostRefund())).toMatchObject({ state: 'pending', refundId: 're_1' });
    expect(requested).toHaveLength(1);
  });

  it.each<[string, string, () => void]>([
    [
      'rejects the credentials',
      'provider_credentials_rejected',
      () => {
        report = () => {
          throw new CredentialsRejected('stripe', 401);
        };
      },
    ],
    ['is switched off', 'not_refundable', () => void (provider = null)],
  ])('lets a refund wait for a week while the provider %s, and then gives it up', async (_, code, change) => {
    change();
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const waiting = lostRefund(7 * DAY_MS - 1);
    await expect(requests.requestOrGiveUp(waiting)).rejects.toMatchObject({ code });
    expect(stored).toEqual([waiting]);
    const abandoned = lostRefund(7 * DAY_MS);
    expect(await requests.requestOrGiveUp(abandoned)).toMatchObject({ state: 'failed', failure: 'not_confirmed' });
    expect(requested).toEqual([]);
    log.mockRestore();
  });

  it('repeats the request for a refund until shortly before it is given up', async () => {
    stored = [aRefund({ createdAt: new Date(Date.now() - 44 * MINUTE_MS) })];
    expect(await requests.requestOrGiveUp(stored[0] ?? aRefund())).toMatchObject({
      state: 'pending',
      refundId: 're_1',
    });
    expect(requested).toHaveLength(1);
  });
});
