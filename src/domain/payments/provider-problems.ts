/** Why buyers cannot pay with a provider: it rejects the credentials, or it accepts them and refuses the payments. */
export const PROVIDER_FAILURES = ['credentials_rejected', 'payment_refused'] as const;
export type ProviderFailure = (typeof PROVIDER_FAILURES)[number];

/** Why an event of a provider could not be applied. */
export const UNAPPLIED_PROBLEMS = ['order_not_found', 'internal_error'] as const;
export type UnappliedProblem = (typeof UNAPPLIED_PROBLEMS)[number];

/** What owners are informed about: why buyers cannot pay with a provider, or why its reports of their payments have no effect here. */
export const PROVIDER_PROBLEMS = [...PROVIDER_FAILURES, 'webhook_rejected', ...UNAPPLIED_PROBLEMS] as const;
export type ProviderProblem = (typeof PROVIDER_PROBLEMS)[number];
