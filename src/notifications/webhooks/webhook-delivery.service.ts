import { Injectable, type OnModuleInit } from '@nestjs/common';
import { backoff } from '../../infrastructure/jobs/backoff.js';
import { HOUR_MS, SECOND_MS } from '../../lib/time/durations.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { OutboxHandlers } from '../../events/outbox/outbox-handlers.js';
import { type OutboxEntry, type OutboxItem } from '../../events/outbox/outbox.types.js';
import { retryAfterMs } from './delivery-schedule.js';
import { discordMessage } from './discord-message.js';
import { type EventBody } from './event-bodies.service.js';
import { SendingError } from './sending-error.js';
import { outcomeOf } from './webhook-delivery-rules.js';
import { type WebhookAttempt, TEST_EVENT, type WebhookDelivery } from './webhook-delivery.types.js';
import { WebhookDeliveriesRepository } from './webhook-deliveries.repository.js';
import { WebhookHealthService } from './webhook-health.service.js';
import { type QueuedDelivery, WEBHOOK_TOPIC } from './webhook-queue.service.js';
import { WebhookSender } from './webhook-sender.js';
import { signedHeaders } from './webhook-signature.js';
import { WebhookVault } from './webhook-vault.js';
import { type Webhook } from './webhook.types.js';
import { WebhooksRepository } from './webhooks.repository.js';

/** The error in the log of a delivery that was not sent because its webhook was off. */
const SWITCHED_OFF = 'switched_off';
/** The error in the log of a delivery that was set aside: this service failed, not the receiver. */
const SERVICE_FAILED = 'service_failed';
/**
 * The largest number of attempts at a delivery that this service cannot send. With the waits below, about four days:
 * long enough to fix a fault of the service, or to bring back a lost encryption key.
 */
const MAX_ATTEMPTS = 100;

/** The receiver did not accept a delivery, which is retried after `waitMs`. */
class RetryLater extends Error {
  override readonly name = 'RetryLater';

  constructor(readonly waitMs: number) {
    super('The receiver did not take a delivery');
  }
}

/** Sends deliveries to their receivers, and records the responses. */
@Injectable()
export class WebhookDeliveryService implements OnModuleInit {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly health: WebhookHealthService,
    private readonly vault: WebhookVault,
    private readonly sender: WebhookSender,
    private readonly handlers: OutboxHandlers,
    private readonly transactions: Transactions,
  ) {}

  onModuleInit(): void {
    this.handlers.register(WEBHOOK_TOPIC, {
      send: (item, signal) => this.send(item, signal),
      retryAfter,
      setAside: (entry, transaction) => this.setAside(entry, transaction),
    });
  }

  /** @throws RetryLater when the receiver did not accept it and there is another attempt */
  private async send({ shopId, payload }: OutboxItem, signal: AbortSignal): Promise<void> {
    const { deliveryId } = payload as QueuedDelivery;
    const delivery = shopId === null ? null : await this.deliveries.find(shopId, deliveryId, null);
    // The delivery has ended already when a process died after it recorded that, and before the outbox did.
    if (delivery?.state !== 'waiting') return;
    const webhook = await this.webhooks.find(delivery.shopId, delivery.webhookId, null);
    if (webhook === null || (!webhook.isActive && delivery.type !== TEST_EVENT)) return this.giveUp(delivery);
    const { entry, requestedMs } = await this.exchange(webhook, delivery, signal);
    // The process stops. Nobody knows whether the receiver has the event.
    if (signal.aborted) throw signal.reason;
    const outcome = outcomeOf(delivery, entry, webhook.format, requestedMs, Math.random());
    await this.transactions.run(async (transaction) => {
      if (!(await this.deliveries.addAttempt(delivery, entry, outcome, transaction))) return;
      await this.health.recordAttempt(webhook, entry, outcome, transaction);
    });
    if (outcome.nextAttemptAt !== null) throw new RetryLater(outcome.nextAttemptAt.getTime() - entry.at.getTime());
  }

  /**
   * Ends a delivery whose message was set aside, so that staff see it and can replay it. The message itself may be
   * unreadable.
   */
  private async setAside({ id, shopId }: OutboxEntry, transaction: Transaction): Promise<void> {
    const delivery = shopId === null ? null : await this.deliveries.findByMessage(shopId, id, transaction);
    if (delivery !== null) await this.end(delivery, SERVICE_FAILED, transaction);
  }

  /** Ends a delivery whose webhook is switched off or deleted. */
  private async giveUp(delivery: WebhookDelivery): Promise<void> {
    await this.transactions.run((transaction) => this.end(delivery, SWITCHED_OFF, transaction));
  }

  /** Ends a delivery without a request. The log says why. */
  private async end(delivery: WebhookDelivery, error: string, transaction: Transaction): Promise<void> {
    const entry = { at: new Date(), status: null, error, durationMs: 0, response: null };
    const outcome = { state: 'failed', failures: delivery.failures, nextAttemptAt: null } as const;
    await this.deliveries.addAttempt(delivery, entry, outcome, transaction);
  }

  private async exchange(
    webhook: Webhook,
    { eventId, body: standard }: WebhookDelivery,
    signal: AbortSignal,
  ): Promise<{ readonly entry: WebhookAttempt; readonly requestedMs: number | null }> {
    const at = new Date();
    const began = performance.now();
    const ended = () => ({ at, durationMs: Math.round(performance.now() - began) });
    try {
      const url = this.vault.urlOf(webhook);
      const secrets = this.vault.secretsOf(webhook, at);
      if (url === null || secrets === null) throw new SendingError('not_decryptable');
      const body = webhook.format === 'discord' ? discordOf(standard) : standard;
      const headers = signedHeaders(eventId, body, secrets, at);
      const { status, retryAfter, response } = await this.sender.post({ url, headers, body }, signal);
      return { entry: { ...ended(), status, error: null, response }, requestedMs: retryAfterMs(retryAfter, at) };
    } catch (error) {
      if (!(error instanceof SendingError)) throw error;
      return { entry: { ...ended(), status: null, error: error.code, response: null }, requestedMs: null };
    }
  }
}

/**
 * The receiver has the schedule of its delivery. Every other error is one of this service: a fault of the database or of the code,
 * or a message that no configured key decrypts.
 */
function retryAfter(attempts: number, error: unknown): number | null {
  if (error instanceof RetryLater) return error.waitMs;
  return attempts >= MAX_ATTEMPTS ? null : backoff(attempts, SECOND_MS, HOUR_MS);
}

function discordOf(standard: string): string {
  return JSON.stringify(discordMessage(JSON.parse(standard) as EventBody));
}
