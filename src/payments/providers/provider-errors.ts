import { AppError } from '../../domain/errors/app-error.js';

/**
 * The error when a provider cannot be reached, rejects a request, or returns an unusable response.
 * @param reason for the log; it never contains a credential or what the provider returned
 */
export function providerUnavailable(provider: string, reason: string): AppError {
  return new AppError('provider_unavailable', { cause: new Error(`${provider}: ${reason}`) });
}

/** The statuses with which providers reject a key, or what a key is not allowed to do. */
const REJECTIONS: readonly number[] = [401, 403];

/** The error when a provider rejects the credentials of a shop: a new attempt fails too, until the shop replaces them. */
export class CredentialsRejected extends AppError {
  /**
   * @param status 401: the provider does not know them; 403: they lack a permission
   * @param reason for the log
   */
  constructor(
    provider: string,
    readonly status: number,
    reason = `status ${status}`,
  ) {
    super('provider_credentials_rejected', { cause: new Error(`${provider}: ${reason}`) });
  }
}

/** The error when a provider refuses a payment for good: a new attempt fails too, until the shop changes something at the provider. */
export class PaymentRefused extends AppError {
  /** @param reason the provider's own sentence, without secrets; null: it gave none */
  constructor(
    provider: string,
    readonly status: number,
    readonly reason: string | null,
  ) {
    super('provider_refused', { cause: new Error(`${provider}: status ${status}`) });
  }
}

/** Whether a call failed because the provider could not be reached, or did not accept it. */
export function isProviderError(error: unknown): error is AppError {
  return (
    error instanceof CredentialsRejected ||
    error instanceof PaymentRefused ||
    (error instanceof AppError && error.code === 'provider_unavailable')
  );
}

/** 4xx of a provider after which the same request may succeed: a conflict with another request, or too many of them. */
const TEMPORARY: readonly number[] = [408, 409, 425, 429];

/** Whether a provider will reject the same request again. Statuses about the credentials are not among them: see `requireAccepted`. */
export function isPermanent(status: number): boolean {
  return status >= 400 && status < 500 && !TEMPORARY.includes(status) && !REJECTIONS.includes(status);
}

/** @throws CredentialsRejected when the status of a response is about the credentials */
export function requireAccepted(provider: string, status: unknown): void {
  if (typeof status === 'number' && REJECTIONS.includes(status)) throw new CredentialsRejected(provider, status);
}
