import { Injectable, Logger } from '@nestjs/common';
import { requireValid } from '../../domain/errors/require-valid.js';
import { describeError } from '../../infrastructure/logging/logger.js';
import { isProviderError } from '../providers/provider-errors.js';
import { type Credentials, type PaymentProvider, type ProviderAccount } from '../providers/provider.js';
import { type ProviderHealth } from './payment-configuration.types.js';
import { type FailureReport, failureIn } from './provider-failure-rules.js';
import { findWebhook, isPublicWebhook, moveWebhook, registerWebhook } from './webhook-registration.js';

/** What the provider said about the credentials. */
export interface Verification extends Pick<ProviderHealth, 'checkedAt'> {
  /** With those that the provider has added. */
  readonly credentials: Credentials;
  /** Why the provider refused the payment with which the service checks the credentials; null: it did not. */
  readonly refusal: FailureReport | null;
}

/** What the provider said about the webhook. */
export interface Registration extends Pick<ProviderHealth, 'webhookRegistered'> {
  /** With that of the webhook, if the service has registered it. */
  readonly credentials: Credentials;
}

/** Checks the account of a shop at its provider, and registers the webhook of the shop there. */
@Injectable()
export class ProviderSetupService {
  private readonly logger = new Logger('Payments');

  /**
   * Checks the credentials. A provider that cannot be reached, or that has no API, says nothing about them.
   * @throws AppError validation_failed when the provider rejects the credentials
   */
  async verify(provider: PaymentProvider, account: ProviderAccount): Promise<Verification> {
    const { credentials } = account;
    try {
      const read = await provider.verify?.(account);
      return read
        ? { credentials: { ...read, ...credentials }, checkedAt: new Date(), refusal: null }
        : { credentials, checkedAt: null, refusal: null };
    } catch (error) {
      const found = failureIn(provider, error);
      if (found?.failure === 'credentials_rejected') requireValid([found.reason]);
      this.requireUnavailable(error);
      return { credentials, checkedAt: null, refusal: found };
    }
  }

  /**
   * Registers the webhook of the shop, or corrects it. A webhook that cannot be registered is no error: the shop can register it
   * itself.
   * @param given the credentials that the shop has just sent
   */
  async register(
    { webhooks }: PaymentProvider,
    account: ProviderAccount,
    given: Readonly<Record<string, unknown>>,
  ): Promise<Registration> {
    const { credentials, webhookUrl: url } = account;
    if (webhooks === undefined || url === null) return { credentials, webhookRegistered: null };
    if (!isPublicWebhook(url)) return { credentials, webhookRegistered: false };
    const { credential: name } = webhooks;
    try {
      const known = { value: credentials[name], isGiven: given[name] !== undefined };
      const credential = await registerWebhook(webhooks, account, url, known);
      return credential === null
        ? { credentials, webhookRegistered: false }
        : { credentials: { ...credentials, [name]: credential }, webhookRegistered: true };
    } catch (error) {
      this.requireUnavailable(error);
      return { credentials, webhookRegistered: null };
    }
  }

  /**
   * Corrects the address of the webhook at the provider, as far as the provider lets the service do it.
   * @returns whether the provider has the webhook now; null: not known
   */
  async move({ webhooks }: PaymentProvider, account: ProviderAccount): Promise<boolean | null> {
    const { webhookUrl: url } = account;
    if (webhooks === undefined || url === null || !isPublicWebhook(url)) return null;
    try {
      return await moveWebhook(webhooks, account, url);
    } catch (error) {
      this.requireUnavailable(error);
      return null;
    }
  }

  /** Removes the webhook of a shop from its provider, as far as the provider lets the service do it. */
  async unregister({ webhooks }: PaymentProvider, account: ProviderAccount): Promise<void> {
    const { webhookUrl: url } = account;
    if (webhooks === undefined || url === null || !isPublicWebhook(url)) return;
    try {
      const existing = await findWebhook(webhooks, account, url);
      if (existing !== undefined) await webhooks.remove(existing.id, account);
    } catch (error) {
      this.requireUnavailable(error);
    }
  }

  /** Logs why the provider could not be used. @throws any other error */
  private requireUnavailable(error: unknown): void {
    if (!isProviderError(error)) throw error;
    this.logger.warn('A payment provider could not be set up', describeError(error));
  }
}
