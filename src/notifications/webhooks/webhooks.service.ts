import { Injectable } from '@nestjs/common';
import { lockOn } from '../../domain/limits/lock-names.js';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { AuditService } from '../../events/audit/audit.service.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { makeSigningSecret } from '../../lib/crypto/standard-webhooks.js';
import { AppError } from '../../domain/errors/app-error.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { requireValid } from '../../domain/errors/require-valid.js';
import { type Page, type PageRequest } from '../../lib/paging/page.js';
import { SECOND_MS } from '../../lib/time/durations.js';
import { present, requireChange } from '../../domain/errors/change.js';
import { newObjectId } from '../../lib/ids/object-id.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { QuotasService } from '../../infrastructure/quotas/quotas.service.js';
import { type CreateWebhookDto, type UpdateWebhookDto } from './dto/webhook.dto.js';
import { eventsProblem, hiddenFrom, requireAccess } from './webhook-access.js';
import { eventProblems, urlProblems } from './webhook-rules.js';
import { WebhookVault } from './webhook-vault.js';
import { type RevealedWebhook, type ShownWebhook, type Webhook, type WebhookSettings } from './webhook.types.js';
import { WebhooksRepository } from './webhooks.repository.js';

const DIGEST_LENGTH = 12;
const DEFAULTS = { format: 'standard', isActive: true, description: null } as const;

/** The webhooks of a shop, which receive its events. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly vault: WebhookVault,
    private readonly quotas: QuotasService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
    private readonly config: AppConfig,
  ) {}

  /** @throws AppError validation_failed, permission_not_grantable, quota_reached */
  async create(context: ShopContext, input: Readonly<CreateWebhookDto>): Promise<RevealedWebhook> {
    const { shopId, principal } = context;
    const { url, ...settings } = this.checked(context, { ...DEFAULTS, ...present(input) });
    const id = newObjectId();
    const secret = makeSigningSecret();
    const vaultContext = { id, shopId };
    const values = {
      id,
      ...settings,
      sealedUrl: this.vault.seal(url, vaultContext, 'url'),
      sealedSecret: this.vault.seal(secret, vaultContext, 'secret'),
      sealedPreviousSecret: null,
      previousSecretUntil: null,
      failingSince: null,
      disabledAt: null,
      createdAt: new Date(),
      createdBy: principal,
    };
    const work = async (transaction: Transaction): Promise<Webhook> => {
      const count = (upTo: number): Promise<number> => this.webhooks.countAll(shopId, upTo, transaction);
      await this.quotas.requireRoom('webhooksPerShop', shopId, count, transaction);
      const created = await this.webhooks.insert(shopId, values, transaction);
      const changes = changesBetween(null, audited(created, url));
      await this.audit.record(context, { action: 'webhook.created', subjectId: id, changes }, transaction);
      return created;
    };
    const created = await this.transactions.run(work, { oneAtATime: lockOn('webhooksPerShop', shopId) });
    return { ...created, url, secret };
  }

  /** The webhooks whose events the caller can read. */
  async list(context: ShopContext, page: PageRequest): Promise<Page<ShownWebhook>> {
    const webhooks = await this.webhooks.list(context.shopId, hiddenFrom(context), page);
    return webhooks.map((webhook) => this.shown(webhook));
  }

  /** @throws AppError webhook_not_found, permission_missing */
  async get(context: ShopContext, webhookId: string): Promise<ShownWebhook> {
    return this.shown(requireAccess(context, await this.webhooks.find(context.shopId, webhookId, null)));
  }

  /**
   * Changes the fields that are present.
   * @throws AppError validation_failed (also without a field to change), permission_not_grantable, webhook_not_found,
   * permission_missing
   */
  update(context: ShopContext, webhookId: string, change: Readonly<UpdateWebhookDto>): Promise<ShownWebhook> {
    requireChange(change);
    const { shopId } = context;
    return this.transactions.run(async (transaction) => {
      const before = requireAccess(context, await this.webhooks.find(shopId, webhookId, transaction));
      const oldUrl = this.vault.urlOf(before);
      // Without a readable URL, the check rejects an empty one, so that a new one is sent.
      const { url, ...settings } = this.checked(context, { ...settingsOf(before, oldUrl ?? ''), ...present(change) });
      const changes = changesBetween(audited(before, oldUrl), audited({ ...before, ...settings }, url));
      const sealedUrl = url === oldUrl ? before.sealedUrl : this.vault.seal(url, before, 'url');
      if (changes.length === 0) return { ...before, url };
      // The count of its failures starts again, because this change may have fixed them.
      const values = { ...settings, sealedUrl, failingSince: null, disabledAt: null };
      const updated = await this.webhooks.update(shopId, webhookId, values, transaction);
      await this.audit.record(context, { action: 'webhook.updated', subjectId: webhookId, changes }, transaction);
      return { ...orNotFound(updated, 'webhook_not_found'), url };
    });
  }

  /**
   * Makes a new secret. Until the grace period ends, requests are signed with both.
   * @throws AppError webhook_not_found, permission_missing
   */
  rotateSecret(context: ShopContext, webhookId: string, graceSeconds: number): Promise<RevealedWebhook> {
    const { shopId } = context;
    const secret = makeSigningSecret();
    return this.transactions.run(async (transaction) => {
      const before = requireAccess(context, await this.webhooks.find(shopId, webhookId, transaction));
      // A secret that nobody can read any more signs nothing: it would only make each request fail during the grace period.
      const keepsPrevious = graceSeconds > 0 && this.vault.opensSecret(before);
      const change = {
        sealedSecret: this.vault.seal(secret, before, 'secret'),
        sealedPreviousSecret: keepsPrevious ? before.sealedSecret : null,
        previousSecretUntil: keepsPrevious ? new Date(Date.now() + graceSeconds * SECOND_MS) : null,
      };
      const rotated = await this.webhooks.update(shopId, webhookId, change, transaction);
      await this.audit.record(context, { action: 'webhook.secret_rotated', subjectId: webhookId }, transaction);
      return { ...this.shown(orNotFound(rotated, 'webhook_not_found')), secret };
    });
  }

  /**
   * Deletes a webhook.
   * @returns the webhook as it was
   * @throws AppError webhook_not_found, permission_missing
   */
  delete(context: ShopContext, webhookId: string): Promise<ShownWebhook> {
    return this.transactions.run(async (transaction) => {
      // The transaction is undone when the caller has no access.
      const deleted = requireAccess(context, await this.webhooks.delete(context.shopId, webhookId, transaction));
      const shown = this.shown(deleted);
      const changes = changesBetween(audited(deleted, shown.url), null);
      await this.audit.record(context, { action: 'webhook.deleted', subjectId: webhookId, changes }, transaction);
      return shown;
    });
  }

  private shown(webhook: Webhook): ShownWebhook {
    return { ...webhook, url: this.vault.urlOf(webhook) };
  }

  /**
   * The settings with the URL as the URL standard writes it.
   * @throws AppError validation_failed; permission_not_grantable when the caller cannot read what the webhook would
   * deliver
   */
  private checked(context: ShopContext, settings: WebhookSettings): WebhookSettings {
    const { url, format, events } = settings;
    requireValid([...urlProblems(url, format, this.config.allowPrivateWebhookTargets), ...eventProblems(events)]);
    const message = eventsProblem(context, events);
    if (message !== null) throw new AppError('permission_not_grantable', { message });
    return { ...settings, url: new URL(url).href };
  }
}

function settingsOf({ events, format, isActive, description }: Webhook, url: string): WebhookSettings {
  return { url, events, format, isActive, description };
}

/** What the audit log shows of a webhook: of its URL only the origin and a digest, because the path can contain a secret. */
function audited({ events, format, isActive, description }: Webhook, url: string | null) {
  const shownUrl = url === null ? null : `${new URL(url).origin} (sha256 ${sha256(url).slice(0, DIGEST_LENGTH)})`;
  return { url: shownUrl, events, format, isActive, description };
}
