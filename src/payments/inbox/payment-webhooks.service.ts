import { Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { AppError } from '../../domain/errors/app-error.js';
import { ERROR_CATALOGUE } from '../../domain/errors/error-catalogue.js';
import { RateLimiter } from '../../http/throttling/rate-limiter.js';
import { RequestSlots } from '../../http/throttling/request-slots.js';
import { type EventResult } from './inbox.types.js';
import {
  type ConfiguredProvider,
  PaymentAccountsService,
  type WebhookPath,
} from '../accounts/payment-accounts.service.js';
import { formerAddressReason } from '../accounts/checks/provider-webhooks.js';
import { ProviderHealthService } from '../accounts/provider-health.service.js';
import { PaymentInboxService } from './payment-inbox.service.js';
import { type ProviderEvent, type WebhookRequest } from '../providers/provider.js';
import { UnreadableEvent } from '../providers/unreadable-event.js';

/** Who sent a request: its address is counted when the request is rejected. */
export interface WebhookSender {
  readonly address: string | undefined;
  /** Gets the headers of the rate limits. */
  readonly response?: Response;
}

/** The result of a webhook request. */
export interface WebhookResult {
  /** false for an empty body, which only checks that the webhook exists. */
  readonly received: boolean;
  readonly events: readonly EventResult[];
}

/** A request that certainly comes from the provider. */
interface VerifiedRequest {
  readonly shopId: string;
  readonly provider: string;
  /** null for an empty body, which has nothing to sign. */
  readonly events: readonly ProviderEvent[] | null;
}

/**
 * Receives the requests of payment providers: path secret, then the webhook's own limits, then the provider's signature,
 * then the inbox. A provider has few addresses for all shops, so its requests are counted by webhook, and so is how many run at once. Only rejected requests
 * count for their address, and only after the rejection: an address that guesses secrets does not block a provider behind it.
 */
@Injectable()
export class PaymentWebhooksService {
  constructor(
    private readonly accounts: PaymentAccountsService,
    private readonly inbox: PaymentInboxService,
    private readonly health: ProviderHealthService,
    private readonly limiter: RateLimiter,
    private readonly slots: RequestSlots,
  ) {}

  /**
   * Checks, stores and applies a request. Repeating it changes nothing.
   * @throws AppError malformed_id, webhook_not_found, rate_limited, too_many_at_once, webhook_rejected; service_unavailable when it could not be
   * stored or the credentials cannot be read, so that the provider repeats it
   */
  async receive(path: WebhookPath, request: WebhookRequest, sender: WebhookSender): Promise<WebhookResult> {
    const { shopId, provider, events } = await this.verify(path, request, sender).catch(async (error: unknown) => {
      if (isRejection(error)) await this.limiter.consume('failedWebhook', sender.address, sender.response);
      throw error;
    });
    if (events === null) return { received: false, events: [] };
    return { received: true, events: await this.inbox.receive(shopId, provider, events) };
  }

  private async verify(path: WebhookPath, request: WebhookRequest, sender: WebhookSender): Promise<VerifiedRequest> {
    const { configuration, provider, isOpen } = await this.accounts.openWebhook(path);
    const webhook = `${configuration.id} ${sha256(path.webhookSecret)}`;
    await this.limiter.consume('webhook', webhook, sender.response);
    await this.slots.moveCurrent(`webhook ${webhook}`, request.body.length);
    const { shopId } = configuration;
    if (!isOpen) {
      // A refund or a dispute would be lost, and only the owner can correct the address at the provider.
      if (request.body.length > 0) await this.inbox.reject(configuration, formerAddressReason(provider));
      throw new AppError('webhook_not_found');
    }
    if (request.body.length === 0) return { shopId, provider: provider.name, events: null };
    let events: readonly ProviderEvent[];
    try {
      events = await this.read({ configuration, provider }, request);
    } catch (error) {
      // So that staff see it: with a wrong signing secret, every request of the provider is rejected.
      if (isRejection(error)) await this.inbox.reject(configuration, error.message);
      else await this.health.recordError({ configuration, provider }, error);
      throw error;
    }
    await this.health.recordEvent(configuration);
    return { shopId, provider: provider.name, events };
  }

  /** Reads an authentic request. An event that cannot be read is ignored when it is about nothing of the shop. */
  private async read(
    { configuration, provider }: ConfiguredProvider,
    request: WebhookRequest,
  ): Promise<readonly ProviderEvent[]> {
    try {
      return await provider.read(request, this.accounts.accountOf(configuration));
    } catch (error) {
      if (!(error instanceof UnreadableEvent)) throw error;
      await this.inbox.requireForeign(configuration.shopId, provider.name, error);
      return [error.ignored()];
    }
  }
}

/** Whether an error is a 400 or 404: not 429, which is counted already, and not an error of the service itself. */
function isRejection(error: unknown): error is AppError {
  return error instanceof AppError && [400, 404].includes(ERROR_CATALOGUE[error.code].status);
}
