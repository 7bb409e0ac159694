import { Injectable } from '@nestjs/common';
import { type ProviderProblem, type UnappliedProblem } from '../../domain/payments/provider-problems.js';
import { lockOn } from '../../domain/limits/lock-names.js';
import { ShopEventsService } from '../../events/shop-events/shop-events.service.js';
import { type ShopEventType } from '../../events/shop-events/shop-event-details.js';
import { HOUR_MS, MINUTE_MS } from '../../lib/time/durations.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { type ConfiguredProvider } from './payment-accounts.service.js';
import { type NoticeField, type PaymentConfiguration } from './payment-configuration.types.js';
import { endsFailure, type FailureReport, failureIn, type Operation } from './health/provider-failure-rules.js';
import { PaymentProvidersRepository } from './payment-providers.repository.js';

/** How often the owners of a shop get the same notice about a provider. */
const NOTICE_INTERVAL_MS = HOUR_MS;

/** The event of each notice. */
const EVENTS = {
  rejectionPublishedAt: 'payment.webhook_rejected',
  failurePublishedAt: 'payment.provider_failing',
  unappliedPublishedAt: 'payment.webhook_rejected',
} as const satisfies Record<NoticeField, ShopEventType>;

/** What owners are informed about. */
interface Trouble {
  readonly problem: ProviderProblem;
  /** In one sentence. */
  readonly reason: string;
  readonly since: Date;
}

/** Records whether the providers of shops work, and publishes it when one does not. */
@Injectable()
export class ProviderHealthService {
  constructor(
    private readonly configurations: PaymentProvidersRepository,
    private readonly events: ShopEventsService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Calls a provider with the credentials of a shop, and records whether buyers can pay with them.
   * @throws what the work throws
   */
  async watch<Result>(
    configured: ConfiguredProvider,
    operation: Operation,
    work: () => Promise<Result> | Result,
  ): Promise<Result> {
    let result: Result;
    try {
      result = await work();
    } catch (error) {
      await this.recordError(configured, error);
      throw error;
    }
    const { configuration } = configured;
    if (configuration.failingSince !== null) await this.recordAccepted(configuration, operation);
    return result;
  }

  /** Records an error of a call if it says that the provider rejects the credentials or refuses the payments: not an outage. */
  async recordError({ configuration, provider }: ConfiguredProvider, error: unknown): Promise<void> {
    const failure = failureIn(provider, error);
    if (failure !== null) await this.recordFailure(configuration, failure);
  }

  /** Records why buyers cannot pay with a provider. */
  async recordFailure(configuration: PaymentConfiguration, { failure, reason }: FailureReport): Promise<void> {
    const { shopId, provider, failingSince } = configuration;
    const since = failingSince ?? new Date();
    // A provider that refuses a payment has accepted the credentials.
    const checked = failure === 'credentials_rejected' ? { checkedAt: null } : {};
    const health = { failure, lastError: reason, failingSince: since, ...checked };
    await this.transactions.run(
      async (transaction) => {
        await this.configurations.update(configuration, health, transaction);
        await this.notify('failurePublishedAt', configuration, { problem: failure, reason, since }, transaction);
      },
      { oneAtATime: lockOn('failures', shopId, provider) },
    );
  }

  /** Records that the provider accepts the credentials, and what else a successful call shows. */
  async recordAccepted(configuration: PaymentConfiguration, operation: Operation): Promise<void> {
    const { failure } = configuration;
    const isOver = failure === null || endsFailure(failure, operation);
    const works = isOver ? { failure: null, lastError: null, failingSince: null } : {};
    await this.configurations.update(configuration, { checkedAt: new Date(), ...works }, null);
  }

  /** Records that an authentic request of a provider has arrived: at most once a minute, so that a busy webhook writes little. */
  async recordEvent(configuration: PaymentConfiguration): Promise<void> {
    const { lastEventAt, rejectingSince } = configuration;
    const now = new Date();
    const isRecent = lastEventAt !== null && now.getTime() - lastEventAt.getTime() < MINUTE_MS;
    if (isRecent && rejectingSince === null) return;
    await this.configurations.update(configuration, { lastEventAt: now, rejectingSince: null }, null);
  }

  /** Records that a request to a webhook was rejected. @param reason in one sentence */
  async recordRejection(configuration: PaymentConfiguration, reason: string, transaction: Transaction): Promise<void> {
    const now = new Date();
    const since = configuration.rejectingSince ?? now;
    const health = { lastRejectedAt: now, lastRejection: reason, rejectingSince: since };
    await this.configurations.update(configuration, health, transaction);
    const trouble = { problem: 'webhook_rejected', reason, since } as const;
    await this.notify('rejectionPublishedAt', configuration, trouble, transaction);
  }

  /**
   * Publishes that an authentic event of a provider could not be applied.
   * @param reason in one sentence
   */
  async recordUnapplied(
    shopId: string,
    provider: string,
    { problem, reason }: { readonly problem: UnappliedProblem; readonly reason: string },
    transaction: Transaction,
  ): Promise<void> {
    const configuration = await this.configurations.find(shopId, provider, transaction);
    if (configuration === null) return;
    await this.notify('unappliedPublishedAt', configuration, { problem, reason, since: new Date() }, transaction);
  }

  /** Publishes a problem of a provider, unless owners have had the same notice within the interval. */
  private async notify(
    field: NoticeField,
    configuration: PaymentConfiguration,
    { problem, reason, since }: Trouble,
    transaction: Transaction,
  ): Promise<void> {
    const now = new Date();
    if (!(await this.configurations.markNotified(configuration, field, now, NOTICE_INTERVAL_MS, transaction))) return;
    const { id, shopId, provider } = configuration;
    const details = { provider, problem, reason, since: since.toISOString() };
    await this.events.record(shopId, [{ type: EVENTS[field], subjectId: id, details }], transaction);
  }
}
