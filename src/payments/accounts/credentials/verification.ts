import { type Credentials, type PaymentProvider, type ProviderAccount } from '../../providers/provider.js';
import { type FailureReport, failureIn } from '../health/provider-failure-rules.js';
import { unlessUnavailable } from '../checks/provider-webhooks.js';

/** What a provider says about the credentials of an account. */
export interface Verification {
  /** `no_api`: the service can check none of them, or has not. */
  readonly result: 'accepted' | 'unreachable' | 'no_api' | FailureReport;
  /** The credentials that the service has read with them (`readWith`). */
  readonly read: Credentials;
}

/** Of credentials with which the provider was not called. */
export const UNCHECKED: Verification = { result: 'no_api', read: {} };

/** Checks the credentials of an account with its provider. */
export async function verify(provider: PaymentProvider, account: ProviderAccount): Promise<Verification> {
  if (provider.verify === undefined) return UNCHECKED;
  const call = provider.verify(account).then(
    (read): Verification => ({ result: read === null ? 'no_api' : 'accepted', read: read ?? {} }),
    (error: unknown): Verification => {
      const failure = failureIn(provider, error);
      if (failure === null) throw error;
      return { result: failure, read: {} };
    },
  );
  return (await unlessUnavailable(call)) ?? { result: 'unreachable', read: {} };
}
