import { type IncomingHttpHeaders } from 'node:http';
import { type PaymentEvent } from '../../orders/payment-event.types.js';

/** What a shop configures of its account at a provider, by the provider's own names. */
export type Credentials = Readonly<Record<string, string>>;

/** One value of a provider's configuration. */
export interface CredentialRule {
  readonly name: string;
  readonly pattern: RegExp;
  /** Completes the sentence `credentials.<name> ...` when the pattern does not match. */
  readonly says: string;
  /** Whether the provider works without it. */
  readonly optional?: true;
  /** Generates the value when the shop sends none. A generated value is shown once. */
  readonly make?: () => string;
}

/** A request to a webhook, as it arrived over HTTP. */
export interface WebhookRequest {
  /** The bytes as sent: the signature is computed over them. */
  readonly body: Buffer;
  readonly headers: IncomingHttpHeaders;
  readonly query: Readonly<Record<string, unknown>>;
  readonly receivedAt: Date;
}

/** What an event says about a payment. `orderId` is null when the provider did not repeat our reference. */
export interface PaymentDetails extends Omit<PaymentEvent, 'provider' | 'eventId'> {
  readonly orderId: string | null;
}

/** One event of a webhook request, as the provider sent it. */
export interface ProviderEvent {
  /** Unique per provider and shop; the same in every repetition of the event. */
  readonly eventId: string;
  /** The provider's own name of the kind of event. */
  readonly kind: string;
  /** null for kinds that change no payment here. */
  readonly payment: PaymentDetails | null;
}

/**
 * A payment provider. Each is one file in this folder and one entry of `provider-registry.ts`. No other code depends on one
 * provider.
 */
export interface PaymentProvider {
  /** As in paths: lower case. */
  readonly name: string;
  readonly credentials: readonly CredentialRule[];
  /**
   * Checks that a webhook request comes from the provider and is recent, and only then reads it. Most providers sign their
   * requests; for one that does not, the service must ask it for the payment again.
   * @returns the events in it, usually one; an event of an unknown kind has no payment
   * @throws AppError webhook_rejected, body_too_complex: not authentic, too old, or not in the provider's format
   */
  read(request: WebhookRequest, credentials: Credentials): readonly ProviderEvent[] | Promise<readonly ProviderEvent[]>;
}
