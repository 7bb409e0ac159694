import { Injectable } from '@nestjs/common';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { AuditService } from '../../events/audit/audit.service.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { AppError } from '../../domain/errors/app-error.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { requireValid } from '../../domain/errors/require-valid.js';
import { type Page, type PageRequest } from '../../lib/paging/page.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { type WebhookDelivery, type WebhookDeliveryState } from './webhook-delivery.types.js';
import { WebhookDeliveriesRepository } from './webhook-deliveries.repository.js';
import { type Moment } from '../../lib/time/instant.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { hiddenFrom, requireAccess } from './webhook-access.js';
import { WebhookQueueService } from './webhook-queue.service.js';
import { type Webhook } from './webhook.types.js';
import { WebhooksRepository } from './webhooks.repository.js';

/** How many deliveries one request replays at most. */
export const MAX_REPLAYED = 100;

/** The result of replaying a time range. */
export interface ReplayedRange {
  readonly replayed: number;
  /** The cursor with which the next request goes on; null: the whole range was replayed. */
  readonly next: string | null;
}

/** The log of the deliveries of webhooks, and their replay. */
@Injectable()
export class WebhookLogService {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly queue: WebhookQueueService,
    private readonly shops: ShopsService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * The deliveries of the events that the caller can read: earlier ones may be of events that the webhook no longer receives.
   * @throws AppError webhook_not_found, permission_missing
   */
  async list(
    context: ShopContext,
    webhookId: string,
    filter: { readonly state?: WebhookDeliveryState | undefined },
    page: PageRequest,
  ): Promise<Page<WebhookDelivery>> {
    requireAccess(context, await this.webhooks.find(context.shopId, webhookId, null));
    return this.deliveries.list(context.shopId, webhookId, { ...filter, hidden: hiddenFrom(context) }, page);
  }

  /**
   * Sends a test request, also when the webhook is switched off.
   * @throws AppError webhook_not_found, permission_missing
   */
  test(context: ShopContext, webhookId: string): Promise<WebhookDelivery> {
    return this.transactions.run(async (transaction) => {
      const found = await this.webhooks.find(context.shopId, webhookId, transaction);
      const delivery = await this.queue.test(requireAccess(context, found), transaction);
      await this.audit.record(context, { action: 'webhook.tested', subjectId: webhookId }, transaction);
      return delivery;
    });
  }

  /**
   * Replays a delivery that has ended.
   * @throws AppError webhook_not_found, permission_missing, webhook_delivery_not_found; webhook_inactive; webhook_delivery_waiting when it waits already
   */
  replay(context: ShopContext, webhookId: string, deliveryId: string): Promise<WebhookDelivery> {
    const { shopId } = context;
    return this.transactions.run(async (transaction) => {
      await this.active(context, webhookId, transaction);
      const found = await this.deliveries.find(shopId, deliveryId, transaction);
      const isShown = found?.webhookId === webhookId && !hiddenFrom(context).some((type) => type === found.type);
      const delivery = orNotFound(isShown ? found : null, 'webhook_delivery_not_found');
      if ((await this.queue.requeue([delivery], transaction)) === 0) throw new AppError('webhook_delivery_waiting');
      const changes = changesBetween(null, { deliveryId });
      await this.audit.record(context, { action: 'webhook.replayed', subjectId: webhookId, changes }, transaction);
      return { ...delivery, state: 'waiting', failures: 0, nextAttemptAt: null };
    });
  }

  /**
   * Replays the deliveries of a time range that have ended, oldest first, at most `MAX_REPLAYED`.
   * @param after where the previous request ended, in hexadecimal digits; null: begins with the oldest
   * @throws AppError validation_failed, webhook_not_found, permission_missing, webhook_inactive
   */
  async replayRange(
    context: ShopContext,
    webhookId: string,
    { from, to }: Record<'from' | 'to', Moment>,
    after: string | null,
  ): Promise<ReplayedRange> {
    const { shopId } = context;
    const range = await this.shops.withInstants(shopId, { from, to });
    requireValid(range.from < range.to ? [] : ['to must be after from']);
    return this.transactions.run(async (transaction) => {
      await this.active(context, webhookId, transaction);
      const page = { after, limit: MAX_REPLAYED };
      const hidden = hiddenFrom(context);
      const ended = await this.deliveries.endedBetween(shopId, webhookId, { ...range, hidden }, page, transaction);
      const replayed = await this.queue.requeue(ended.items, transaction);
      const changes = changesBetween(null, { from: range.from, to: range.to, deliveries: replayed });
      await this.audit.record(context, { action: 'webhook.replayed', subjectId: webhookId, changes }, transaction);
      return { replayed, next: ended.nextCursor };
    });
  }

  private async active(context: ShopContext, webhookId: string, transaction: Transaction): Promise<Webhook> {
    const webhook = requireAccess(context, await this.webhooks.find(context.shopId, webhookId, transaction));
    if (!webhook.isActive) throw new AppError('webhook_inactive');
    return webhook;
  }
}
