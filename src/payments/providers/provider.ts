import { type IncomingHttpHeaders } from 'node:http';
import { type MinorUnits } from '../../lib/money/money.js';
import { type ChargeRule } from '../../domain/payments/charge-rules.js';
import { type PaymentEvent } from '../../orders/order/payment-event.types.js';

/** What a shop configures of its account at a provider, by the provider's own names. */
export type Credentials = Readonly<Record<string, string>>;

/** One value of a provider's configuration. */
export interface CredentialRule {
  readonly name: string;
  readonly pattern: RegExp;
  /** Completes the sentence `credentials.<name> ...` for a value that does not match the pattern. */
  readonly says: string;
  /** The stricter pattern of production. */
  readonly productionPattern?: RegExp;
  /** Whether the service can receive events without it. */
  readonly optional?: true;
  /** Whether no buyer can pay without it: then the provider only reports payments that the shop makes itself. */
  readonly paymentsNeedIt?: true;
  /**
   * The credentials with which the service reads it from the provider (`verify`) when the settings are saved. A change of one of them
   * removes it.
   */
  readonly readWith?: readonly string[];
  /** Generates the value when the shop sends none. A generated value is shown once. */
  readonly generate?: () => string;
}

/** A request to a webhook, as it arrived over HTTP. */
export interface WebhookRequest {
  /** The bytes as sent: the signature is computed over them. */
  readonly body: Buffer;
  readonly headers: IncomingHttpHeaders;
  readonly query: Readonly<Record<string, unknown>>;
  readonly receivedAt: Date;
}

/** The payment that an event reports. `orderId` is null when the provider did not repeat our reference. */
export interface PaymentDetails extends Omit<PaymentEvent, 'provider' | 'eventId' | 'awaitedUntil'> {
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
  /** Why it is ignored, in one sentence for staff, where it is not only its kind. */
  readonly problem?: string;
}

/** A shop's account at a provider, and our addresses that the provider needs. */
export interface ProviderAccount {
  readonly credentials: Credentials;
  /** The address of this service for its clients, without a trailing slash. */
  readonly publicUrl: string;
  /** The address of the provider's API without a trailing slash, if it is not the usual one. */
  readonly apiUrl: string | undefined;
  /** The address of the account's webhook, with its secret; null when it cannot be decrypted. */
  readonly webhookUrl: string | null;
  /**
   * Whether an order of the shop can still be paid. A provider whose approved payments the service captures checks it first: the
   * order may have been cancelled, or paid in another way.
   */
  awaitsMoney(orderId: string): Promise<boolean>;
}

/** A webhook of an account, as the provider has it. */
export interface RegisteredWebhook {
  readonly id: string;
  readonly url: string;
  /** Whether it is switched on and gets every event that the service reads. */
  readonly isComplete: boolean;
}

/** A webhook that the provider has just registered, with the credential that belongs to it. */
export interface CreatedWebhook extends Pick<RegisteredWebhook, 'id'> {
  readonly credential: string;
}

/** The webhooks of an account, at a provider whose API manages them. */
export interface WebhookApi {
  /** The credential that belongs to a webhook: its signing secret, or its id. */
  readonly credential: string;
  /** The credential of a registered webhook; null where the provider shows it only once. */
  credentialOf(webhook: RegisteredWebhook): string | null;
  /** Leaves out what cannot be read. @throws AppError provider_credentials_rejected, also for a key without this permission; provider_unavailable: so do all */
  list(account: ProviderAccount): Promise<readonly RegisteredWebhook[]>;
  create(url: string, account: ProviderAccount): Promise<CreatedWebhook>;
  /** Changes the address of a webhook, switches it on, and selects all events. */
  update(id: string, url: string, account: ProviderAccount): Promise<void>;
  remove(id: string, account: ProviderAccount): Promise<void>;
}

/** Whether the payments of an account are real. */
export type AccountMode = 'live' | 'test';

/** A payment that a buyer wants to make. */
export interface NewPayment {
  /** The same in every repetition, so that the provider makes one payment only. 24 hexadecimal digits. */
  readonly id: string;
  readonly orderId: string;
  /** What buyers read of the order at the provider, such as `Order #1042`. */
  readonly description: string;
  readonly amountMinor: MinorUnits;
  /** ISO 4217. */
  readonly currency: string;
  /** Where the provider sends the buyer after a payment, and after giving up. */
  readonly successUrl: string;
  readonly cancelUrl: string;
  readonly createdAt: Date;
  /** When the order expires. */
  readonly expiresAt: Date;
}

/** A payment at a provider that waits for its buyer. */
export interface CreatedPayment {
  /** The provider's id of the payment. */
  readonly paymentId: string;
  /** Where the buyer pays. */
  readonly url: string;
  /** Until when the buyer can pay there. */
  readonly expiresAt: Date;
}

/** A payment that a provider created. */
export interface KnownPayment extends Pick<NewPayment, 'id' | 'orderId' | 'amountMinor' | 'currency' | 'createdAt'> {
  /** As `create` returned it. */
  readonly paymentId: string;
}

/** A refund that staff request. */
export interface NewRefund {
  /** The same in every repetition, so that the provider makes one refund only. 24 hexadecimal digits. */
  readonly id: string;
  readonly orderId: string;
  /** The payment, as its events name it. */
  readonly paymentId: string;
  readonly amountMinor: MinorUnits;
  /** ISO 4217. */
  readonly currency: string;
}

/** The provider's response to a refund. */
export interface StartedRefund {
  /** The provider's id of the refund; null when it rejected the refund. */
  readonly refundId: string | null;
  readonly state: 'pending' | 'succeeded' | 'failed';
  /** Why it failed, in the provider's own word, such as `charge_already_refunded`; null otherwise. */
  readonly failure: string | null;
}

/**
 * A payment provider. Each one has a folder next to this file and an entry in `provider-registry.ts`. No other code depends on a
 * single provider.
 */
export interface PaymentProvider {
  /** As in paths: lower case. */
  readonly name: string;
  /** For buyers. */
  readonly title: string;
  /** For owners and staff, in a sentence such as "Stripe rejected this secret key". */
  readonly brand: string;
  /** What the provider calls the credentials of its API, in such a sentence. */
  readonly keyName: string;
  /** Whether production rejects it. */
  readonly isForTests?: true;
  readonly credentials: readonly CredentialRule[];
  /** The provider's own names of the events to select for the webhook; none where there is nothing to select. */
  readonly events: readonly string[];
  /**
   * Checks that a webhook request comes from the provider and is recent, and only then reads it. Most providers sign their
   * requests. From a provider that does not, the service must request the payment itself.
   * @returns the events in it, usually one; an event of an unknown kind has no payment, whatever else it contains
   * @throws AppError webhook_rejected: not authentic, too old, or not in the provider's format; UnreadableEvent for an authentic
   * event of a known kind that cannot be read; provider_unavailable when the payment cannot be requested, so that the provider
   * repeats the webhook
   */
  read(request: WebhookRequest, account: ProviderAccount): readonly ProviderEvent[] | Promise<readonly ProviderEvent[]>;
  /**
   * How many days the provider may need to report how a payment ends that it has accepted: bank debits, vouchers, reviews. The order
   * waits so long for the money.
   */
  readonly confirmationDays: number;
  /**
   * After how many days a dispute is lost that was not won: for a provider that reports when a dispute was opened and won, and never that it
   * was lost. `fetch` reports the loss then.
   */
  readonly disputeDays?: number;
  /** What the provider can charge in a currency (ISO 4217); null: nothing. */
  chargeRule(currency: string): ChargeRule | null;
  /** Whether the payments of an account are real, as its credentials or the address of the API show; null: they do not show it. */
  modeOf(account: Pick<ProviderAccount, 'credentials' | 'apiUrl'>): AccountMode | null;
  /**
   * Finds out whether the provider accepts the credentials, with calls that move no money: `paypal` makes an order that nobody approves.
   * Absent when the provider has no API.
   * @returns the credentials that the service reads (`readWith`); null: there is none to check
   * @throws AppError provider_credentials_rejected; provider_refused when the provider refuses a payment with them;
   * provider_unavailable when it cannot be reached
   */
  verify?(account: ProviderAccount): Promise<Credentials | null>;
  /**
   * Whether the provider gets the address of the webhook with each payment, and reports what happens to the payment only there. Then
   * the addresses before a rotation stay valid. Only for a provider whose requests prove nothing (`read` requests the payment).
   */
  readonly keepsAddresses?: true;
  /** Absent when the provider's API cannot register the webhook of the shop. */
  readonly webhooks?: WebhookApi;
  /**
   * Creates a payment at the provider. A repetition with the same id returns the same payment.
   * @throws AppError provider_credentials_rejected; provider_refused when the provider refuses payments of this kind to the shop;
   * provider_unavailable when it cannot be reached, or returns an unusable response
   */
  create(payment: NewPayment, account: ProviderAccount): CreatedPayment | Promise<CreatedPayment>;
  /**
   * Gives back a part of a payment, or all of it. A repetition with the same id returns the same refund. Absent when the
   * provider has no API for it.
   * @throws AppError provider_unavailable when it is unknown whether the provider made it, so that the service repeats the request
   */
  refund?(refund: NewRefund, account: ProviderAccount): Promise<StartedRefund>;
  /**
   * Fetches a payment and its refunds. Absent when the provider has no API for it.
   * @returns their states as events: none for an unknown payment, the same ids while nothing changes
   * @throws AppError provider_unavailable
   */
  fetch?(payment: KnownPayment, account: ProviderAccount): Promise<readonly ProviderEvent[]>;
}
