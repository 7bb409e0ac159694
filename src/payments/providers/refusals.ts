import { type AppError } from '../../domain/errors/app-error.js';
import { isPermanent, PaymentRefused, providerUnavailable } from './provider-errors.js';
import { type ProviderAccount } from './provider.js';

const MAX_LENGTH = 200;
const REDACTED = '[redacted]';
/** A shorter value, such as the number of a shop, is no secret, and would be found in the middle of other words. */
const SHORTEST_SECRET = 8;
/** Keys, tokens and path secrets, also of others. A word without a digit is a name, such as of an error. */
const LONG_RUN = /[\w-]{32,}/g;

/**
 * The sentence of a provider as the owners of the shop read it: on one line, at most 200 characters, without the final full stop, and
 * without secrets. Providers repeat what they were sent, such as the address of the webhook.
 * @returns null when there is no sentence
 */
export function readableReason(
  sentence: unknown,
  { credentials, webhookUrl }: Pick<ProviderAccount, 'credentials' | 'webhookUrl'>,
): string | null {
  if (typeof sentence !== 'string') return null;
  const secrets = [webhookUrl ?? '', ...Object.values(credentials)].filter(({ length }) => length >= SHORTEST_SECRET);
  const clean = secrets
    .reduce((text, secret) => text.replaceAll(secret, REDACTED), sentence)
    .replace(LONG_RUN, (run) => (/\d/.test(run) ? REDACTED : run))
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .replace(/\.$/, '');
  if (clean === '') return null;
  return clean.length <= MAX_LENGTH ? clean : `${clean.slice(0, MAX_LENGTH - 1)}…`;
}

/**
 * The error for a payment that a provider did not start or capture.
 * @param status of the response; neither 401 nor 403
 * @param sentence the provider's own reason, as it returned it
 */
export function paymentError(provider: string, status: number, sentence: unknown, account: ProviderAccount): AppError {
  return isPermanent(status)
    ? new PaymentRefused(provider, status, readableReason(sentence, account))
    : providerUnavailable(provider, `status ${status}`);
}
