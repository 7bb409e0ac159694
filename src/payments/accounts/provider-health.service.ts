import { Injectable } from '@nestjs/common';
import { ShopEventsService } from '../../events/shop-events/shop-events.service.js';
import { type ShopEventType } from '../../events/shop-events/shop-event.types.js';
import { HOUR_MS, MINUTE_MS } from '../../platform/time/durations.js';
import { type Transaction, Transactions } from '../../platform/database/transactions.js';
import { findProvider } from '../providers/provider-registry.js';
import { CredentialsRejected } from '../providers/provider-errors.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { rejectionOf } from './credential-rules.js';
import { type PaymentConfiguration } from './payment-configuration.types.js';
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
   * Calls a provider with the credentials of a shop, and records whether it accepts them.
   * @throws what the work throws
   */
  async watch<Result>(configuration: PaymentConfiguration, work: () => Promise<Result> | Result): Promise<Result> {
    let result: Result;
    try {
      result = await work();
    } catch (error) {
      await this.recordFailure(configuration, error);
      throw error;
    }
    if (configuration.failingSince !== null) await this.recordAccepted(configuration);
    return result;
  }

  /** Records an error of a call if it says that the provider rejects the credentials: not an outage. */
  async recordFailure(configuration: PaymentConfiguration, error: unknown): Promise<void> {
    const { shopId, provider: name, failingSince } = configuration;
    const provider = findProvider(name, this.config);
    if (!(error instanceof CredentialsRejected) || provider === undefined) return;
    const reason = rejectionOf(provider, error.status);
    const now = new Date();
    const since = failingSince ?? now;
    await this.transactions.run(
      async (transaction) => {
        const health = { lastError: reason, failingSince: since, checkedAt: null };
        await this.configurations.setHealth(configuration, health, transaction);
        const isDue = await this.claim(configuration, 'failurePublishedAt', now, transaction);
        if (isDue) await this.publish('payment.provider_failing', configuration, { reason, since }, transaction);
      },
      { oneAtATime: `failures of ${shopId} ${name}` },
    );
  }

  /** Records that the provider accepts the credentials. */
  recordAccepted(configuration: PaymentConfiguration): Promise<void> {
    const health = { checkedAt: new Date(), lastError: null, failingSince: null };
    return this.configurations.setHealth(configuration, health, null);
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
    if (isDue) await this.publish('payment.webhook_rejected', configuration, { reason, since }, transaction);
  }

  private claim(
    configuration: PaymentConfiguration,
    field: 'rejectionPublishedAt' | 'failurePublishedAt',
    now: Date,
    transaction: Transaction,
  ): Promise<boolean> {
    return this.configurations.claimPublication(configuration, field, now, PUBLICATION_INTERVAL_MS, transaction);
  }

  private publish(
    type: ShopEventType,
    { id, shopId, provider }: PaymentConfiguration,
    { reason, since }: { readonly reason: string; readonly since: Date },
    transaction: Transaction,
  ): Promise<void> {
    const details = { provider, reason, since: since.toISOString() };
    return this.events.record(shopId, [{ type, subjectId: id, details }], transaction);
  }
}
