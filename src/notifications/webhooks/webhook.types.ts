import { SHOP_EVENT_TYPES } from '../../events/shop-events/shop-event.types.js';

/** `standard`: a signed JSON body. `discord`: a message for the channel URL of Discord. */
export const WEBHOOK_FORMATS = ['standard', 'discord'] as const;

export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** Every event, also those that a later version adds. */
export const EVERY_EVENT = '*';

export const WEBHOOK_FILTERS = [...SHOP_EVENT_TYPES, EVERY_EVENT] as const;
export type WebhookFilter = (typeof WEBHOOK_FILTERS)[number];

/** A subscription of a shop to its events. */
export interface Webhook {
  readonly id: string;
  readonly shopId: string;
  /** Encrypted: channel URLs, such as those of Discord, contain a secret. */
  readonly sealedUrl: string;
  /** The events that it receives. `EVERY_EVENT` stands alone. */
  readonly events: readonly WebhookFilter[];
  readonly format: WebhookFormat;
  readonly isActive: boolean;
  readonly description: string | null;
  /** The encrypted signing secret. */
  readonly sealedSecret: string;
  /** The secret before the last rotation, and until when requests are signed with it too. */
  readonly sealedPreviousSecret: string | null;
  readonly previousSecretUntil: Date | null;
  /** Since when no delivery was accepted; null: the latest one was. */
  readonly failingSince: Date | null;
  /** When the service switched it off; null: it did not. */
  readonly disabledAt: Date | null;
  readonly createdAt: Date;
  readonly createdBy: string;
}

/** The encrypted values of a webhook. */
export type SealedFields = Pick<Webhook, 'sealedUrl' | 'sealedSecret' | 'sealedPreviousSecret'>;

/** What a shop sets. */
export interface WebhookSettings {
  readonly url: string;
  readonly events: readonly WebhookFilter[];
  readonly format: WebhookFormat;
  readonly isActive: boolean;
  readonly description: string | null;
}

/** A webhook with its URL in clear; null when no configured key decrypts it. */
export type ShownWebhook = Webhook & { readonly url: string | null };

/** A webhook with its secret, which is shown only once. */
export type RevealedWebhook = ShownWebhook & { readonly secret: string };
