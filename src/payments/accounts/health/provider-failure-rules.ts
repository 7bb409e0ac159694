import { type ProviderFailure } from '../../../domain/payments/provider-problems.js';
import { type PaymentProvider } from '../../providers/provider.js';
import { CredentialsRejected, PaymentRefused } from '../../providers/provider-errors.js';
import { rejectionOf } from '../credentials/credential-rules.js';

/** What is wrong with a provider, for the owners of the shop. */
export interface FailureReport {
  readonly failure: ProviderFailure;
  /** In one sentence, without secrets. */
  readonly reason: string;
}

/** What the error of a call says about the account of the shop; null: nothing, as in an outage. */
export function failureIn(provider: Pick<PaymentProvider, 'brand' | 'keyName'>, error: unknown): FailureReport | null {
  if (error instanceof CredentialsRejected)
    return { failure: 'credentials_rejected', reason: rejectionOf(provider, error.status) };
  if (error instanceof PaymentRefused) {
    const { reason, status } = error;
    return {
      failure: 'payment_refused',
      reason: `${provider.brand} refused a payment: ${reason ?? `status ${status}`}`,
    };
  }
  return null;
}

/** Why buyers cannot pay with a provider, as far as it is known; null: they can. */
export interface KnownFailure {
  readonly failure: ProviderFailure | null;
  /** The same in one sentence. */
  readonly lastError: string | null;
  readonly failingSince: Date | null;
}

const NO_FAILURE: KnownFailure = { failure: null, lastError: null, failingSince: null };

/** What a call to a provider is for. */
export type Operation = 'payment' | 'query' | 'refund';

/** Whether the success of a call ends a failure: each shows that the credentials work, and only a payment that payments do. */
export function endsFailure(failure: ProviderFailure, operation: Operation): boolean {
  switch (failure) {
    case 'credentials_rejected':
      return true;
    case 'payment_refused':
      return operation === 'payment';
  }
}

/**
 * What is known of a failure after settings were saved. Nothing is known of new credentials before their first call. With the same
 * ones a failure lasts until a call shows that it is over.
 * @param stored of the settings before; null: absent, or with other credentials
 * @param refusal why the provider refused a payment when the settings were saved
 */
export function failureAfterSaving(
  stored: KnownFailure | null,
  { checkedAt, refusal }: { readonly checkedAt: Date | null; readonly refusal: FailureReport | null },
  now: Date,
): KnownFailure {
  if (refusal !== null)
    return { failure: refusal.failure, lastError: refusal.reason, failingSince: stored?.failingSince ?? now };
  if (stored?.failure == null) return NO_FAILURE;
  const isOver = checkedAt !== null && endsFailure(stored.failure, 'query');
  const { failure, lastError, failingSince } = stored;
  return isOver ? NO_FAILURE : { failure, lastError, failingSince };
}
