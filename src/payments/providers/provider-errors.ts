import { AppError } from '../../platform/errors/app-error.js';

/**
 * The error when a provider cannot be reached, rejects a request, or returns an unusable response.
 * @param reason for the log; it never contains a credential or what the provider returned
 */
export function providerUnavailable(provider: string, reason: string): AppError {
  return new AppError('provider_unavailable', { cause: new Error(`${provider}: ${reason}`) });
}
