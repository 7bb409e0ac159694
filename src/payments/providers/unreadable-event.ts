import { FormatError, IDENTIFIER } from './json-fields.js';
import { type ProviderEvent } from './provider.js';

/** What an event names, read without expecting any shape. */
export interface References {
  /** The order that it names where our payments have it; null without one. */
  readonly orderId: string | null;
  /** Raw values from where its payment is named. */
  readonly paymentIds: readonly unknown[];
}

/**
 * The error for an authentic event of a known kind that has another shape, or a currency that does not exist. The account may also
 * serve other systems, so only an event about an order of the shop is rejected (`PaymentInboxService.requireForeign`).
 */
export class UnreadableEvent extends FormatError {
  readonly orderId: string | null;
  readonly paymentIds: readonly string[];

  constructor(
    sentence: string,
    readonly event: Pick<ProviderEvent, 'eventId' | 'kind'>,
    { orderId, paymentIds }: References,
  ) {
    super(sentence);
    this.orderId = orderId;
    this.paymentIds = paymentIds.filter((id): id is string => typeof id === 'string' && IDENTIFIER.pattern.test(id));
  }

  /** The event as it is stored when it is about nothing of the shop. */
  ignored(): ProviderEvent {
    const problem = `The event names no order of this shop, and cannot be read: ${this.sentence}`;
    return { ...this.event, payment: null, problem };
  }
}

/**
 * Reads the part of an event that depends on its kind.
 * @throws UnreadableEvent instead of FormatError; everything else that `read` throws
 */
export function readNamed<Result>(
  event: Pick<ProviderEvent, 'eventId' | 'kind'>,
  referencesOf: () => References,
  read: () => Result,
): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof FormatError ? new UnreadableEvent(error.sentence, event, referencesOf()) : error;
  }
}
