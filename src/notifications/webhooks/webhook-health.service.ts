import { Injectable } from '@nestjs/common';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { AuditService } from '../../events/audit/audit.service.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { OwnerEmailsService } from '../../shops/owner-emails/owner-emails.service.js';
import { failsForTooLong, isGone } from './delivery-schedule.js';
import { type WebhookAttempt } from './webhook-delivery.types.js';
import { type AttemptOutcome } from './webhook-deliveries.repository.js';
import { webhookDisabledEmail } from './webhook-emails.js';
import { type Webhook } from './webhook.types.js';
import { WebhooksRepository } from './webhooks.repository.js';

/** Records since when webhooks fail, and switches off those that have failed for days: then the owners get an email. */
@Injectable()
export class WebhookHealthService {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly audit: AuditService,
    private readonly emails: OwnerEmailsService,
  ) {}

  /**
   * Records how an attempt ended. A webhook is switched off when a delivery had its last attempt after days of
   * failures, or when it is gone.
   */
  async recordAttempt(
    webhook: Webhook,
    { at, status }: WebhookAttempt,
    { state }: AttemptOutcome,
    transaction: Transaction,
  ): Promise<void> {
    const { id, shopId, format, failingSince } = webhook;
    if (state === 'delivered') {
      if (failingSince !== null) await this.webhooks.update(shopId, id, { failingSince: null }, transaction);
      return;
    }
    const since = failingSince ?? at;
    if (failingSince === null) await this.webhooks.update(shopId, id, { failingSince: since }, transaction);
    if (state === 'failed' && (isGone(status, format) || failsForTooLong(since, at)))
      await this.disable(webhook, at, transaction);
  }

  private async disable(webhook: Webhook, at: Date, transaction: Transaction): Promise<void> {
    const { id, shopId } = webhook;
    if (!(await this.webhooks.disable(shopId, id, at, transaction))) return;
    const changes = changesBetween({ isActive: true }, { isActive: false });
    const write = { action: 'webhook.disabled', subjectId: id, changes } as const;
    await this.audit.record({ shopId, principal: 'system' }, write, transaction);
    await this.emails.add(shopId, (shop) => webhookDisabledEmail(shop, webhook), transaction);
  }
}
