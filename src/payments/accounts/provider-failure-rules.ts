import { type PaymentProvider } from '../providers/provider.js';
import { CredentialsRejected, PaymentRefused } from '../providers/provider-errors.js';
import { rejectionOf } from './credential-rules.js';

/** Why buyers cannot pay with a provider: it rejects the credentials, or it accepts them and refuses the payments. */
export const PROVIDER_FAILURES = ['credentials_rejected', 'payment_refused'] as const;
export type ProviderFailure = (typeof PROVIDER_FAILURES)[number];

/** Why an event of a provider could not be applied. */
export const UNAPPLIED_PROBLEMS = ['order_not_found', 'internal_error'] as const;
export type UnappliedProblem = (typeof UNAPPLIED_PROBLEMS)[number];

/** What owners are informed about: why buyers cannot pay with a provider, or why its reports of their payments have no effect here. */
export const PROVIDER_PROBLEMS = [...PROVIDER_FAILURES, 'webhook_rejected', ...UNAPPLIED_PROBLEMS] as const;
export type ProviderProblem = (typeof PROVIDER_PROBLEMS)[number];

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
