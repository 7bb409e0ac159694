import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { directTransactions, FakeJobs, FakeProviderHealth } from '../../../test/support/fakes.js';
import { eventually } from '../../../test/support/eventually.js';
import { aPayment } from '../../../test/support/payments.js';
import { accountWith } from '../../../test/support/provider-accounts.js';
import { DAY_MS, MINUTE_MS } from '../../lib/time/durations.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type PaymentEvent } from '../../orders/order/payment-event.types.js';
import { type OrdersService } from '../../orders/order/orders.service.js';
import { type PaymentAccountsService } from '../accounts/payment-accounts.service.js';
import { PaymentChecksService } from './payment-checks.service.js';
import { type PaymentInboxService } from '../inbox/payment-inbox.service.js';
import { type Payment } from './payment.types.js';
import { type PaymentsRepository } from './payments.repository.js';
import { type ProviderEvent } from '../providers/provider.js';
import { testProvider } from '../providers/test/test.provider.js';

const PAID = { eventId: 'e1', kind: 'x', payment: { type: 'payment.succeeded' } } as unknown as ProviderEvent;

let due: Payment[];
let created: Payment[];
let paymentStatus: string;
/** What the order knows of its payments. */
let payments: readonly PaymentEvent[];
let respond: (id: string) => readonly ProviderEvent[] | Promise<readonly ProviderEvent[]>;
let queried: string[];
let received: [shopId: string, provider: string, events: readonly ProviderEvent[]][];
let scheduled: [id: string, dueAt: Date | null][];
/** What storing the time of the next check of a payment fails with. */
let unstorable: Map<string, Error>;
let hasFetch: boolean;
let isActive: boolean;
let jobs: FakeJobs;
/** For how long the service claimed payments. */
let leaseMs: number;
let service: PaymentChecksService;

const watched = (fields: Partial<Payment> = {}): Payment => {
  const expiresAt = new Date(Date.now() + MINUTE_MS);
  return { ...aPayment(), expiresAt, checks: 1, ...fields };
};

beforeEach(() => {
  Logger.overrideLogger(false);
  due = [watched()];
  created = [];
  paymentStatus = 'pending';
  payments = [];
  respond = () => [];
  queried = [];
  received = [];
  scheduled = [];
  unstorable = new Map();
  hasFetch = true;
  isActive = true;
  jobs = new FakeJobs();
  const fetch = ({ paymentId }: { paymentId: string }): Promise<readonly ProviderEvent[]> => {
    queried.push(paymentId);
    return Promise.resolve().then(() => respond(paymentId));
  };
  service = new PaymentChecksService(
    {
      hasDue: () => Promise.resolve(due.length > 0),
      claimDue: (provider: string, now: Date, leaseUntil: Date, limit: number) => {
        leaseMs = leaseUntil.getTime() - now.getTime();
        const claimed = due.filter((one) => one.provider === provider).slice(0, limit);
        due = due.filter((one) => !claimed.includes(one));
        return Promise.resolve(claimed);
      },
      listCreated: () => Promise.resolve(created),
      schedule: (_shop: string, id: string, dueAt: Date | null) => {
        scheduled.push([id, dueAt]);
        const failure = unstorable.get(id);
        return failure === undefined ? Promise.resolve() : Promise.reject(failure);
      },
    } as unknown as PaymentsRepository,
    {
      findReporting: () =>
        Promise.resolve(isActive ? { provider: hasFetch ? { fetch } : {}, account: accountWith({}) } : null),
    } as unknown as PaymentAccountsService,
    {
      receive: (shopId: string, provider: string, events: readonly ProviderEvent[]) => {
        received.push([shopId, provider, events]);
        return Promise.resolve([]);
      },
    } as unknown as PaymentInboxService,
    new FakeProviderHealth().asService,
    { get: () => Promise.resolve({ paymentStatus, payments }) } as unknown as OrdersService,
    directTransactions,
    jobs.asService,
  );
});

/** In how many minutes a payment is checked next; null: never. */
const nextIn = (id = aPayment().id): number | null => {
  const dueAt = scheduled.findLast(([scheduledId]) => scheduledId === id)?.[1] ?? null;
  return dueAt === null ? null : Math.round((dueAt.getTime() - Date.now()) / MINUTE_MS);
};

describe('PaymentChecksService', () => {
  it('passes the response of the provider to the inbox, and stops when the payment has ended', async () => {
    respond = () => [PAID];
    await jobs.runRound('payments');
    expect(received).toEqual([[aPayment().shopId, 'test', [PAID]]]);
    expect(scheduled).toEqual([[aPayment().id, null]]);
  });

  it.each([
    [1, 2],
    [5, 32],
  ])('queries an unchanged payment again: after check %i in %i minutes', async (checks, minutes) => {
    due = [watched({ checks })];
    await jobs.runRound('payments');
    expect(nextIn()).toBe(minutes);
  });

  it.each(['paid', 'refunded', 'needs_review', 'disputed'])(
    'sends no query for an order that is %s',
    async (status) => {
      paymentStatus = status;
      await jobs.runRound('payments');
      expect(queried).toEqual([]);
      expect(scheduled).toEqual([[aPayment().id, null]]);
    },
  );

  it.each(['processing', 'authorized', 'failed'])('queries the provider for an order that is %s', async (status) => {
    paymentStatus = status;
    await jobs.runRound('payments');
    expect(queried).toEqual(['pay-1']);
  });

  describe('of a disputed order, at a provider that reports no lost disputes', () => {
    const at = (type: string, occurredAt: Date, disputeId = 'd1') =>
      ({ provider: 'mollie', paymentId: 'pay-1', type, occurredAt, disputeId }) as unknown as PaymentEvent;
    const reportOf = (event: PaymentEvent): ProviderEvent =>
      ({ eventId: 'e', kind: 'x', payment: event }) as unknown as ProviderEvent;
    const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);
    const opened = at('dispute.opened', daysAgo(100));

    beforeEach(() => {
      [due, paymentStatus, payments] = [[watched({ provider: 'mollie' })], 'disputed', [opened]];
    });

    it.each([
      ['when the oldest open dispute is lost', [opened, at('dispute.opened', daysAgo(10), 'd2')], 20 * 24 * 60],
      [
        'when the next one is lost',
        [opened, at('dispute.lost', daysAgo(0)), at('dispute.opened', daysAgo(10), 'd2')],
        110 * 24 * 60,
      ],
      ['a day later when the provider still has it open', [at('dispute.opened', daysAgo(130))], 24 * 60],
      ['never when each dispute has ended', [opened, at('dispute.won', daysAgo(1))], null],
    ])('queries it again %s', async (_, reported, minutes) => {
      respond = () => reported.map(reportOf);
      await jobs.runRound('payments');
      expect(received).toHaveLength(1);
      expect(nextIn()).toBe(minutes);
    });

    it('sends no query when the dispute has ended', async () => {
      payments = [opened, at('dispute.won', daysAgo(1))];
      await jobs.runRound('payments');
      expect([queried, nextIn()]).toEqual([[], null]);
    });
  });

  it('stops when the provider had its days to confirm a payment after the time to pay', async () => {
    const days = testProvider.confirmationDays * 24 * 60;
    due = [watched({ expiresAt: new Date(Date.now() - (days - 1) * MINUTE_MS) })];
    await jobs.runRound('payments');
    expect(nextIn()).not.toBeNull();
    scheduled.length = 0;
    due = [watched({ expiresAt: new Date(Date.now() - days * MINUTE_MS) })];
    await jobs.runRound('payments');
    expect(nextIn()).toBeNull();
  });

  it.each([
    [1, 2],
    [5, 32],
  ])(
    'postpones a payment whose provider does not respond, after check %i by %i minutes, and queries the others',
    async (checks, minutes) => {
      due = [watched({ checks }), watched({ id: 'other', paymentId: 'pay-2' })];
      respond = (id) => {
        if (id === 'pay-1') throw new AppError('provider_unavailable');
        return [PAID];
      };
      await expect(jobs.runRound('payments')).rejects.toMatchObject({ code: 'provider_unavailable' });
      expect(scheduled.map(([id]) => id).sort()).toEqual([aPayment().id, 'other'].sort());
      expect(nextIn('other')).toBeNull();
      expect(nextIn(aPayment().id)).toBe(minutes);
    },
  );

  it('queries the other providers while one does not respond, and ends the round although more is due at that one', async () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    const silent = Array.from({ length: 1_000 }, (_, index) =>
      watched({ id: `silent ${index}`, paymentId: `silent ${index}`, provider: 'mollie' }),
    );
    due = [...silent, watched()];
    let timeOut = (): void => undefined;
    const timeout = new Promise<never>((_, reject) => {
      timeOut = () => {
        reject(new AppError('provider_unavailable'));
      };
    });
    respond = (id) => (id.startsWith('silent') ? timeout : [PAID]);
    const round = jobs.runRound('payments');
    await eventually(() => Promise.resolve(scheduled.length > 0));
    expect(scheduled).toEqual([[aPayment().id, null]]);
    now.mockReturnValue(20_000);
    timeOut();
    await expect(round).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(queried.filter((id) => id.startsWith('silent'))).toHaveLength(8);
    now.mockRestore();
  });

  it('keeps a payment claimed that cannot be postponed, and logs both problems', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    due = [watched(), watched({ id: 'other', paymentId: 'pay-2' })];
    unstorable = new Map([[aPayment().id, new Error('no database')]]);
    respond = (id) => {
      if (id === 'pay-1') throw new AppError('provider_unavailable');
      return [PAID];
    };
    await expect(jobs.runRound('payments')).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(new Map(scheduled).get('other')).toBeNull();
    expect(warn.mock.calls.map(([message]) => message as unknown)).toEqual([
      `The provider could not be queried about payment ${aPayment().id}`,
      `Payment ${aPayment().id} could not be postponed`,
    ]);
    warn.mockRestore();
  });

  it('queries each payment of a round, with a lease much longer than the timeout of a provider', async () => {
    due = [watched(), watched({ id: 'other', paymentId: 'pay-2' })];
    await jobs.runRound('payments');
    expect(queried.sort()).toEqual(['pay-1', 'pay-2']);
    expect(leaseMs).toBe(2 * MINUTE_MS);
  });

  it('changes nothing for a provider that the shop has removed', async () => {
    isActive = false;
    await jobs.runRound('payments');
    expect(received).toEqual([]);
  });

  it('changes nothing for a provider that cannot be queried', async () => {
    hasFetch = false;
    await jobs.runRound('payments');
    expect(received).toEqual([]);
  });

  it('queries all payments that the provider created for an order when a refresh is requested, and returns what it reports', async () => {
    created = [watched(), watched({ paymentId: 'pay-2' }), watched({ state: 'creating', paymentId: null })];
    respond = (id) => (id === 'pay-1' ? [] : [PAID]);
    expect(await service.refresh('shop', 'order', 'test')).toEqual([PAID]);
    expect(queried).toEqual(['pay-1', 'pay-2']);
  });
});
