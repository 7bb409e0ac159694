import { type MinorUnits } from '../../lib/money/money.js';
import { type PaymentEvent } from '../order/payment-event.types.js';

/** Names of an event and of a payment: their ids are unique only within a provider. */
export const nameOf = ({ provider, eventId }: PaymentEvent): string => `${provider}\n${eventId}`;
export const paymentOf = ({ provider, paymentId }: Pick<PaymentEvent, 'provider' | 'paymentId'>): string =>
  `${provider}\n${paymentId}`;

/** No two different events compare as equal, so nothing depends on the order in which they arrived. */
export const byTime = (left: PaymentEvent, right: PaymentEvent): number =>
  left.occurredAt.getTime() - right.occurredAt.getTime() || (nameOf(left) < nameOf(right) ? -1 : 1);

export const sumOf = (amounts: readonly { readonly amountMinor: MinorUnits }[]): MinorUnits =>
  amounts.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
