import { newObjectId } from '../../src/lib/ids/object-id.js';
import { type AppConfig } from '../../src/infrastructure/config/app-config.js';
import { type StoredWebhookDelivery } from '../../src/notifications/webhooks/webhook-delivery.types.js';
import { WebhookVault } from '../../src/notifications/webhooks/webhook-vault.js';
import { type Webhook } from '../../src/notifications/webhooks/webhook.types.js';
import { SHOP } from './contexts.js';

export const WEBHOOK = '655f1c2ab1e4a9d3f0c812d0';
/** The secret of `webhookWith`. */
export const SIGNING_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
export const webhookVault = new WebhookVault({
  encryptionKey: Buffer.alloc(32, 1),
  previousEncryptionKey: null,
} as AppConfig);

/** An active webhook that gets every event at `https://example.com/hooks/shop`, and has never failed. */
export function webhookWith(fields: Partial<Webhook> = {}): Webhook {
  const vaultContext = { id: WEBHOOK, shopId: SHOP, ...fields };
  return {
    ...vaultContext,
    sealedUrl: webhookVault.seal('https://example.com/hooks/shop', vaultContext, 'url'),
    events: ['*'],
    format: 'standard',
    isActive: true,
    description: null,
    sealedSecret: webhookVault.seal(SIGNING_SECRET, vaultContext, 'secret'),
    sealedPreviousSecret: null,
    previousSecretUntil: null,
    failingSince: null,
    disabledAt: null,
    createdAt: new Date('2026-11-22T12:00:00.000Z'),
    createdBy: 'user:655f1c2ab1e4a9d3f0c81299',
    ...fields,
  };
}

/** A delivery that waits for its first attempt. It is of the future, because a store removes those of the past. */
export function deliveryWith(fields: Partial<StoredWebhookDelivery> = {}): StoredWebhookDelivery {
  return {
    id: newObjectId(),
    shopId: SHOP,
    webhookId: WEBHOOK,
    eventId: newObjectId(),
    type: 'order.paid',
    stream: null,
    body: '{}',
    state: 'waiting',
    attempts: [],
    failures: 0,
    nextAttemptAt: null,
    createdAt: new Date('2099-11-22T12:00:00.000Z'),
    messageId: newObjectId(),
    ...fields,
  };
}
