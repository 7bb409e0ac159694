import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP } from '../../../test/support/contexts.js';
import { FakeShopEvents, TRANSACTION, transactionsInTurns } from '../../../test/support/fakes.js';
import { type AppConfig } from '../../platform/config/app-config.js';
import { AppError } from '../../platform/errors/app-error.js';
import { type TransactionOptions } from '../../platform/database/transactions.js';
import { MINUTE_MS } from '../../platform/time/durations.js';
import { CredentialsRejected } from '../providers/provider-errors.js';
import { type PaymentConfiguration, type ProviderHealth } from './payment-configuration.types.js';
import { type PaymentProvidersRepository } from './payment-providers.repository.js';
import { ProviderHealthService } from './provider-health.service.js';

const REJECTED = new CredentialsRejected('stripe', 401);
const BEFORE = new Date(Date.now() - 10 * MINUTE_MS);

let written: Partial<ProviderHealth>[];
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
  const repository: Pick<PaymentProvidersRepository, 'setHealth' | 'claimPublication'> = {
    setHealth: (_key, fields) => {
      written.push(fields);
      return Promise.resolve();
    },
    claimPublication: (_key, field) => {
      claimed.push(field);
      return Promise.resolve(isDue);
    },
  };
  const config = { environment: 'production' } as AppConfig;
  health = new ProviderHealthService(
    repository as PaymentProvidersRepository,
    events.asService,
    transactionsInTurns(queues),
    config,
  );
});

const configuration = (fields: Partial<PaymentConfiguration> = {}): PaymentConfiguration =>
  ({
    ...{ id: 'c1', shopId: SHOP, provider: 'stripe', lastEventAt: null, rejectingSince: null, failingSince: null },
    ...fields,
  }) as PaymentConfiguration;

describe('ProviderHealthService.watch', () => {
  it('records and publishes rejected credentials, and throws the error', async () => {
    const work = (): Promise<never> => Promise.reject(REJECTED);
    await expect(health.watch(configuration(), work)).rejects.toBe(REJECTED);
    const reason = 'Stripe rejected this secret key';
    expect(written).toEqual([{ lastError: reason, failingSince: expect.any(Date), checkedAt: null }]);
    const details = { provider: 'stripe', reason, since: expect.stringMatching(/Z$/) };
    expect(events.recorded).toEqual([{ type: 'payment.provider_failing', subjectId: 'c1', details }]);
    expect(events.transactions).toEqual([TRANSACTION]);
  });

  it('records the failures of one configuration one after the other, because all write the same record', async () => {
    await health.recordFailure(configuration(), REJECTED);
    await health.recordFailure(configuration({ provider: 'mollie' }), REJECTED);
    expect(queues).toEqual([`failures of ${SHOP} stripe`, `failures of ${SHOP} mollie`]);
  });

  it('keeps the time since when the provider rejects them, and publishes nothing within the interval', async () => {
    isDue = false;
    await health.recordFailure(configuration({ failingSince: BEFORE }), REJECTED);
    expect(written).toMatchObject([{ failingSince: BEFORE }]);
    expect(claimed).toEqual(['failurePublishedAt']);
    expect(events.recorded).toEqual([]);
  });

  it('records nothing for an outage', async () => {
    const outage = new AppError('provider_unavailable');
    await expect(health.watch(configuration(), () => Promise.reject(outage))).rejects.toBe(outage);
    expect([written, claimed]).toEqual([[], []]);
  });

  it('writes only the first success after a failure', async () => {
    expect(await health.watch(configuration(), () => 7)).toBe(7);
    expect(written).toEqual([]);
    await health.watch(configuration({ failingSince: BEFORE }), () => 7);
    expect(written).toEqual([{ checkedAt: expect.any(Date), lastError: null, failingSince: null }]);
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
    const details = { provider: 'stripe', reason: 'no signature', since: BEFORE.toISOString() };
    expect(events.recorded).toEqual([{ type: 'payment.webhook_rejected', subjectId: 'c1', details }]);
    isDue = false;
    await health.recordRejection(configuration(), 'no signature', TRANSACTION);
    expect(events.recorded).toHaveLength(1);
    expect(claimed).toEqual(['rejectionPublishedAt', 'rejectionPublishedAt']);
  });
});
