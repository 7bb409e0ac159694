import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { sha256 } from '../common/crypto/keyed-hash.js';
import { AppError } from '../common/errors/app-error.js';
import { ERROR_CATALOGUE } from '../common/errors/error-catalogue.js';
import { RateLimiter } from '../common/throttling/rate-limiter.js';
import { PaymentWebhooksService, type VerifiedNotification } from './payment-webhooks.service.js';

type WebhookRequest = Request & { notification?: VerifiedNotification };

const NOTHING = Buffer.alloc(0);

/** 404 and 400; not 429 (counted already), and not what is wrong on our side. */
function isRefusal(error: unknown): boolean {
  return error instanceof AppError && [400, 404].includes(ERROR_CATALOGUE[error.code].status);
}

/**
 * The access check of webhooks: path secret, then the webhook's own limit, then the provider's signature. A provider's
 * burst is counted by webhook and not by address (a provider has few addresses for all shops); only what is refused counts
 * for its address. Counting follows the refusal, so an address that guesses does not shut out who has the secret.
 */
@Injectable()
export class WebhookGuard implements CanActivate {
  constructor(
    private readonly webhooks: PaymentWebhooksService,
    private readonly limiter: RateLimiter,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<WebhookRequest>();
    try {
      request.notification = await this.verify(request);
      return true;
    } catch (error) {
      if (isRefusal(error)) await this.limiter.consume('failedWebhook', request.ip, request.res);
      throw error;
    }
  }

  private async verify(request: Request): Promise<VerifiedNotification> {
    const parameters = request.params as Readonly<Partial<Record<string, string>>>;
    const { provider = '', shopId = '', webhookSecret: secret = '' } = parameters;
    const webhook = await this.webhooks.open(provider, shopId, secret);
    await this.limiter.consume('webhook', `${webhook.configuration.id} ${sha256(secret)}`, request.res);
    return this.webhooks.read(webhook, {
      body: Buffer.isBuffer(request.body) ? request.body : NOTHING,
      headers: request.headers,
      query: request.query,
      receivedAt: new Date(),
    });
  }
}

/** The notification that the guard let through. */
export const Notification = createParamDecorator((_: unknown, context: ExecutionContext): VerifiedNotification => {
  const { notification } = context.switchToHttp().getRequest<WebhookRequest>();
  if (notification === undefined) throw new Error('@Notification() stands on routes with the WebhookGuard');
  return notification;
});
