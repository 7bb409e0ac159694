import { type IncomingHttpHeaders } from 'node:http';
import { type PaymentEvent } from '../../orders/payment-event.types.js';

/** What a shop gives us of its account at a provider, by the provider's own names. */
export type Credentials = Readonly<Record<string, string>>;

/** One value that a provider's configuration takes. */
export interface CredentialRule {
  readonly name: string;
  readonly pattern: RegExp;
  /** Completes the sentence `credentials.<name> ...` when the pattern does not match. */
  readonly says: string;
  /** Whether the provider works without it. */
  readonly optional?: true;
  /** Makes the value when the shop gives none; a made value is shown once. */
  readonly make?: () => string;
}

/** A notification as it came over HTTP. */
export interface ProviderNotification {
  /** The bytes as sent: signatures are over them. */
  readonly body: Buffer;
  readonly headers: IncomingHttpHeaders;
  readonly query: Readonly<Record<string, unknown>>;
  readonly receivedAt: Date;
}

/** What a notification says about a payment. `orderId` is null when the provider did not repeat our reference. */
export interface PaymentNotice extends Omit<PaymentEvent, 'provider' | 'eventId'> {
  readonly orderId: string | null;
}

/** One event of a notification. */
export interface ProviderEvent {
  /** Unique per provider and shop; the same in every repetition of the event. */
  readonly eventId: string;
  /** The provider's own name of the kind of event. */
  readonly kind: string;
  /** Null for kinds that change nothing here. */
  readonly notice: PaymentNotice | null;
}

/**
 * A payment provider. Each is one file in this folder and one entry of `provider-registry.ts`; nothing else in the code
 * knows them apart.
 */
export interface PaymentProvider {
  /** As in paths: lower case. */
  readonly name: string;
  readonly credentials: readonly CredentialRule[];
  /**
   * Proves that a notification is the provider's and recent, and only then reads it. Most providers sign; one that does not
   * has to be asked what is true.
   * @returns the events in it, usually one; a kind that is not known is an event without a notice
   * @throws AppError webhook_rejected, body_too_complex: not authentic, too old, or not in the provider's shape
   */
  read(
    notification: ProviderNotification,
    credentials: Credentials,
  ): readonly ProviderEvent[] | Promise<readonly ProviderEvent[]>;
}
