import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP } from '../../../test/support/contexts.js';
import { FakeShopEvents, TRANSACTION, transactionsInTurns } from '../../../test/support/fakes.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type TransactionOptions } from '../../infrastructure/database/transactions.js';
import { MINUTE_MS } from '../../lib/time/durations.js';
import { CredentialsRejected, PaymentRefused } from '../providers/provider-errors.js';
import { stripeProvider } from '../providers/stripe/stripe.provider.js';
import { type ConfiguredProvider } from './payment-accounts.service.js';
import { type PaymentConfiguration } from './payment-configuration.types.js';
import { type PaymentProvidersRepository } from './payment-providers.repository.js';
import { ProviderHealthService } from './provider-health.service.js';

const REJECTED = new CredentialsRejected('stripe', 401);
const WORKS = { failure: null, lastError: null, failingSince: null };
const BEFORE = new Date(Date.now() - 10 * MINUTE_MS);

let written: Partial<PaymentConfiguration>[];
let claimed: string[];
/** Whether the last event was published long enough ago. */
let isDue: boolean;
let events: FakeShopEvents;
/** The `oneAtATime` names of the transactions so far. */
let queues: TransactionOptions['oneAtATime'][];
let health: ProviderHealthService;

beforeEach(() => {
  written = [];
  claimed = [];
  isDue = true;
  queues = [];
  events = new FakeShopEvents();
  const repository: Pick<PaymentProvidersRepository, 'find' | 'update' | 'markNotified'> = {
    find: (_shopId, provider) => Promise.resolve(provider === 'stripe' ? configuration() : null),
    update: (read, fields) => {
      written.push(fields);
      return Promise.resolve({ ...read, ...fields });
    },
    markNotified: (_read, field) => {
      claimed.push(field);
      return Promise.resolve(isDue);
    },
  };
  health = new ProviderHealthService(
    repository as PaymentProvidersRepository,
    events.asService,
    transactionsInTurns(queues),
  );
});

const configuration = (fields: Partial<PaymentConfiguration> = {}): PaymentConfiguration =>
  ({
    ...{ id: 'c1', shopId: SHOP, provider: 'stripe', lastEventAt: null, rejectingSince: null },
    ...WORKS,
    ...fields,
  }) as PaymentConfiguration;

const stripe = (fields: Partial<PaymentConfiguration> = {}): ConfiguredProvider => ({
  configuration: configuration(fields),
  provider: stripeProvider,
});

describe('ProviderHealthService.watch', () => {
  it('records and publishes rejected credentials, and throws the error', async () => {
    const work = (): Promise<never> => Promise.reject(REJECTED);
    await expect(health.watch(stripe(), 'payment', work)).rejects.toBe(REJECTED);
    const reason = 'Stripe rejected this secret key';
    const failure = 'credentials_rejected';
    expect(written).toEqual([{ failure, lastError: reason, failingSince: expect.any(Date), checkedAt: null }]);
    const details = { provider: 'stripe', problem: failure, reason, since: expect.stringMatching(/Z$/) };
    expect(events.recorded).toEqual([{ type: 'payment.provider_failing', subjectId: 'c1', details }]);
    expect(events.transactions).toEqual([TRANSACTION]);
  });

  it('records the failures of one configuration one after the other, because all write the same record', async () => {
    await health.recordError(stripe(), REJECTED);
    await health.recordError(stripe({ provider: 'mollie' }), REJECTED);
    expect(queues).toEqual([`failures:${SHOP}:stripe`, `failures:${SHOP}:mollie`]);
  });

  it('keeps the time since when the provider rejects them, and publishes nothing within the interval', async () => {
    isDue = false;
    await health.recordError(stripe({ failingSince: BEFORE }), REJECTED);
    expect(written).toMatchObject([{ failingSince: BEFORE }]);
    expect(claimed).toEqual(['failurePublishedAt']);
    expect(events.recorded).toEqual([]);
  });

  it('records nothing for an outage', async () => {
    const outage = new AppError('provider_unavailable');
    await expect(health.watch(stripe(), 'payment', () => Promise.reject(outage))).rejects.toBe(outage);
    expect([written, claimed]).toEqual([[], []]);
  });

  it('writes only the first success after a failure', async () => {
    expect(await health.watch(stripe(), 'payment', () => 7)).toBe(7);
    expect(written).toEqual([]);
    await health.watch(stripe({ failingSince: BEFORE }), 'refund', () => 7);
    expect(written).toEqual([{ checkedAt: expect.any(Date), ...WORKS }]);
  });

  it('records and publishes a refused payment with the reason of the provider, and keeps that the credentials are accepted', async () => {
    const refused = new PaymentRefused('stripe', 400, 'Your account is not activated');
    await expect(health.watch(stripe(), 'payment', () => Promise.reject(refused))).rejects.toBe(refused);
    const reason = 'Stripe refused a payment: Your account is not activated';
    const failure = 'payment_refused';
    expect(written).toEqual([{ failure, lastError: reason, failingSince: expect.any(Date) }]);
    expect(events.recorded).toMatchObject([
      { type: 'payment.provider_failing', details: { provider: 'stripe', problem: failure, reason } },
    ]);
  });

  it.each([
    ['payment', true],
    ['refund', false],
    ['query', false],
  ] as const)('ends refused payments with the success of a %s: %s', async (operation, isOver) => {
    const refused = { failingSince: BEFORE, failure: 'payment_refused' } as const;
    await health.watch(stripe(refused), operation, () => 7);
    expect(written).toEqual([{ checkedAt: expect.any(Date), ...(isOver ? WORKS : {}) }]);
  });
});

describe('ProviderHealthService.recordEvent', () => {
  it.each([
    ['the first event', {}, true],
    ['an event within a minute', { lastEventAt: new Date() }, false],
    ['an event after more than a minute', { lastEventAt: BEFORE }, true],
    ['the first event after a rejection', { lastEventAt: new Date(), rejectingSince: BEFORE }, true],
  ])('writes %s: %j, %s', async (_, fields, isWritten) => {
    await health.recordEvent(configuration(fields));
    expect(written).toEqual(isWritten ? [{ lastEventAt: expect.any(Date), rejectingSince: null }] : []);
  });
});

describe('ProviderHealthService.recordRejection', () => {
  it('records why and since when requests are rejected, and publishes it when it is due', async () => {
    await health.recordRejection(configuration({ rejectingSince: BEFORE }), 'no signature', TRANSACTION);
    expect(written).toEqual([
      { lastRejectedAt: expect.any(Date), lastRejection: 'no signature', rejectingSince: BEFORE },
    ]);
    const details = {
      provider: 'stripe',
      problem: 'webhook_rejected',
      reason: 'no signature',
      since: BEFORE.toISOString(),
    };
    expect(events.recorded).toEqual([{ type: 'payment.webhook_rejected', subjectId: 'c1', details }]);
    isDue = false;
    await health.recordRejection(configuration(), 'no signature', TRANSACTION);
    expect(events.recorded).toHaveLength(1);
    expect(claimed).toEqual(['rejectionPublishedAt', 'rejectionPublishedAt']);
  });
});

describe('ProviderHealthService.recordUnapplied', () => {
  const trouble = { problem: 'order_not_found', reason: 'unknown order' } as const;

  it('publishes an event that could not be applied, when it is due', async () => {
    await health.recordUnapplied(SHOP, 'stripe', trouble, TRANSACTION);
    const details = { provider: 'stripe', ...trouble, since: expect.stringMatching(/Z$/) };
    expect(events.recorded).toEqual([{ type: 'payment.webhook_rejected', subjectId: 'c1', details }]);
    isDue = false;
    await health.recordUnapplied(SHOP, 'stripe', trouble, TRANSACTION);
    expect(events.recorded).toHaveLength(1);
    expect(claimed).toEqual(['unappliedPublishedAt', 'unappliedPublishedAt']);
  });

  it('publishes nothing about a provider that the shop has removed', async () => {
    await health.recordUnapplied(SHOP, 'mollie', trouble, TRANSACTION);
    expect([claimed, events.recorded]).toEqual([[], []]);
  });
});
