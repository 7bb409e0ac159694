import { AppError } from '../../domain/errors/app-error.js';
import { whileOthersRun } from '../../http/throttling/request-slots.js';
import { bytesOf } from '../../lib/network/bytes-of.js';
import { SECOND_MS } from '../../lib/time/durations.js';
import { FormatError, JsonFields } from './json-fields.js';
import { isPermanent, providerUnavailable, requireAccepted } from './provider-errors.js';
import { type StartedRefund } from './provider.js';
import { refundFailureIn } from './provider-fields.js';

/** Shorter than the deadline of a request (10 s). */
export const PROVIDER_TIMEOUT_MS = 6 * SECOND_MS;
const MAX_RESPONSE_BYTES = 1_000_000;
const NO_CONTENT = 204;

/** A request to the API of a provider. */
export interface ProviderCall {
  /** The name of the provider, for the log. */
  readonly provider: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: object | string;
}

/** The response of a provider: a status below 500, neither 401 nor 403, and the fields of its JSON object. */
export interface ProviderResponse {
  readonly status: number;
  readonly fields: JsonFields;
}

/**
 * Sends a request to a provider. Follows no redirects.
 * @returns the status, below 500, and the bytes of the response, at most 1 MB
 * @throws AppError provider_unavailable when it does not respond in time, is overloaded (429, 5xx), or returns too much
 */
export async function sendToProvider(call: ProviderCall): Promise<{ readonly status: number; readonly bytes: Buffer }> {
  const { provider, method, url, headers, body } = call;
  const sent = typeof body === 'object' ? JSON.stringify(body) : body;
  const type: Record<string, string> = typeof body === 'object' ? { 'content-type': 'application/json' } : {};
  const options = { method, headers: { accept: 'application/json', ...type, ...headers }, redirect: 'error' as const };
  const signal = AbortSignal.timeout(PROVIDER_TIMEOUT_MS);
  let status: number;
  let bytes: Buffer | null;
  try {
    ({ status, bytes } = await whileOthersRun(async () => {
      const response = await fetch(url, { ...options, signal, ...(sent === undefined ? {} : { body: sent }) });
      return { status: response.status, bytes: await bytesOf(response, MAX_RESPONSE_BYTES) };
    }));
  } catch (error) {
    // Neither the address nor the headers: both can contain credentials.
    throw providerUnavailable(provider, String((error as { name?: unknown }).name));
  }
  if (status === 429 || status >= 500) throw providerUnavailable(provider, `status ${status}`);
  if (bytes === null) throw providerUnavailable(provider, 'the response is too large');
  return { status, bytes };
}

/**
 * Calls the API of a provider with the credentials of a shop, as `sendToProvider` does.
 * @throws AppError provider_credentials_rejected; provider_unavailable also when it returns no JSON object
 */
export async function callProvider(call: ProviderCall): Promise<ProviderResponse> {
  const { status, bytes } = await sendToProvider(call);
  requireAccepted(call.provider, status);
  // A changed or deleted object has no content.
  const body = status === NO_CONTENT ? Buffer.from('{}') : bytes;
  return { status, fields: readResponse(call.provider, () => JsonFields.parse(body)) };
}

/** Whether a status reports success. */
export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/**
 * The result of a refund that a provider rejected for good.
 * @param status of the response
 * @param word the provider's own word for the reason
 * @throws AppError provider_credentials_rejected; provider_unavailable when the response is about another request with the same key
 * that is still running, or about too many of them: the same refund is possible later
 */
export function rejectedRefund(provider: string, status: number, word: unknown): StartedRefund {
  requireAccepted(provider, status);
  if (!isPermanent(status)) throw providerUnavailable(provider, `status ${status}`);
  const { failure = `status_${status}` } = refundFailureIn(word);
  return { refundId: null, state: 'failed', failure };
}

/** Reads a response of a provider. @throws AppError provider_unavailable when a field is not as expected */
export function readResponse<Result>(provider: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof FormatError)
      throw providerUnavailable(provider, `its response cannot be read: ${error.sentence}`);
    if (error instanceof AppError) throw providerUnavailable(provider, error.message);
    throw error;
  }
}
