import { Injectable } from '@nestjs/common';
import { type ProviderProblem, type UnappliedProblem } from '../../domain/payments/provider-problems.js';
import { ShopEventsService } from '../../events/shop-events/shop-events.service.js';
import { type ShopEventType } from '../../events/shop-events/shop-event.types.js';
import { HOUR_MS, MINUTE_MS } from '../../lib/time/durations.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { findProvider } from '../providers/provider-registry.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { type PaymentConfiguration } from './payment-configuration.types.js';
import { endsFailure, failureIn, type Operation } from './provider-failure-rules.js';
import { type PublicationField } from './payment-provider.schema.js';
import { PaymentProvidersRepository } from './payment-providers.repository.js';

/** How often the owners of a shop get the same notice about a provider. */
const PUBLICATION_INTERVAL_MS = HOUR_MS;

/** Records whether the providers of shops work, and publishes it when one does not. */
@Injectable()
export class ProviderHealthService {
  constructor(
    private readonly configurations: PaymentProvidersRepository,
    private readonly events: ShopEventsService,
    private readonly transactions: Transactions,
    private readonly config: AppConfig,
  ) {}

  /**
   * Calls a provider with the credentials of a shop, and records whether buyers can pay with them.
   * @throws what the work throws
   */
  async watch<Result>(
    configuration: PaymentConfiguration,
    operation: Operation,
    work: () => Promise<Result> | Result,
  ): Promise<Result> {
    let result: Result;
    try {
      result = await work();
    } catch (error) {
      await this.recordFailure(configuration, error);
      throw error;
    }
    if (configuration.failingSince !== null) await this.recordAccepted(configuration, operation);
    return result;
  }

  /** Records an error of a call if it says that the provider rejects the credentials or refuses the payments: not an outage. */
  async recordFailure(configuration: PaymentConfiguration, error: unknown): Promise<void> {
    const { shopId, provider: name } = configuration;
    const provider = findProvider(name, this.config);
    const found = provider === undefined ? null : failureIn(provider, error);
    if (found === null) return;
    const { failure, reason } = found;
    const now = new Date();
    const since = configuration.failingSince ?? now;
    await this.transactions.run(
      async (transaction) => {
        // A provider that refuses a payment has accepted the credentials.
        const checked = failure === 'credentials_rejected' ? { checkedAt: null } : {};
        const health = { failure, lastError: reason, failingSince: since, ...checked };
        await this.configurations.setHealth(configuration, health, transaction);
        const isDue = await this.claim(configuration, 'failurePublishedAt', now, transaction);
        const trouble = { problem: failure, reason, since };
        if (isDue) await this.publish('payment.provider_failing', configuration, trouble, transaction);
      },
      { oneAtATime: `failures of ${shopId} ${name}` },
    );
  }

  /** Records that the provider accepts the credentials, and what else a successful call shows. */
  recordAccepted(configuration: PaymentConfiguration, operation: Operation): Promise<void> {
    const { failure } = configuration;
    const isOver = failure === null || endsFailure(failure, operation);
    const works = isOver ? { failure: null, lastError: null, failingSince: null } : {};
    return this.configurations.setHealth(configuration, { checkedAt: new Date(), ...works }, null);
  }

  /** Records that an authentic request of a provider has arrived: at most once a minute, so that a busy webhook writes little. */
  async recordEvent(configuration: PaymentConfiguration): Promise<void> {
    const { lastEventAt, rejectingSince } = configuration;
    const now = new Date();
    const isRecent = lastEventAt !== null && now.getTime() - lastEventAt.getTime() < MINUTE_MS;
    if (isRecent && rejectingSince === null) return;
    await this.configurations.setHealth(configuration, { lastEventAt: now, rejectingSince: null }, null);
  }

  /** Records that a request to a webhook was rejected. @param reason in one sentence */
  async recordRejection(configuration: PaymentConfiguration, reason: string, transaction: Transaction): Promise<void> {
    const now = new Date();
    const since = configuration.rejectingSince ?? now;
    const health = { lastRejectedAt: now, lastRejection: reason, rejectingSince: since };
    await this.configurations.setHealth(configuration, health, transaction);
    const isDue = await this.claim(configuration, 'rejectionPublishedAt', now, transaction);
    if (isDue) {
      const trouble = { problem: 'webhook_rejected', reason, since } as const;
      await this.publish('payment.webhook_rejected', configuration, trouble, transaction);
    }
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
    const since = new Date();
    const isDue = await this.claim(configuration, 'unappliedPublishedAt', since, transaction);
    if (isDue) await this.publish('payment.webhook_rejected', configuration, { problem, reason, since }, transaction);
  }

  private claim(
    configuration: PaymentConfiguration,
    field: PublicationField,
    now: Date,
    transaction: Transaction,
  ): Promise<boolean> {
    return this.configurations.claimPublication(configuration, field, now, PUBLICATION_INTERVAL_MS, transaction);
  }

  private publish(
    type: ShopEventType,
    { id, shopId, provider }: PaymentConfiguration,
    { problem, reason, since }: { readonly problem: ProviderProblem; readonly reason: string; readonly since: Date },
    transaction: Transaction,
  ): Promise<void> {
    const details = { provider, problem, reason, since: since.toISOString() };
    return this.events.record(shopId, [{ type, subjectId: id, details }], transaction);
  }
}
