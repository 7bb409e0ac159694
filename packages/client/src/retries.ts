import { ApiError, ConnectionError } from './errors.js';

export interface RetryOptions {
  /** How many attempts follow the first one. */
  readonly retries: number;
  /** The longest `Retry-After` that the client waits for, in milliseconds. A longer one is an error at once. */
  readonly longestWaitMs: number;
}

const FIRST_WAIT_MS = 300;
/** Limits reject a request before anything has happened. */
const REJECTED = 429;
/** The service, or a proxy before it, is down or did not answer in time: nobody knows what has happened. */
const UNCERTAIN: readonly number[] = [502, 503, 504];

/**
 * How long to wait before the next attempt, in milliseconds; null: a repetition is no use, or could do the same thing twice.
 * @param isRepeatable whether a second request changes nothing that the first one has changed already
 */
export function waitMsAfter(
  error: unknown,
  attempt: number,
  isRepeatable: boolean,
  { retries, longestWaitMs }: RetryOptions,
): number | null {
  if (attempt > retries) return null;
  // Clients that failed together do not come back together.
  const backoffMs = FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random());
  if (error instanceof ConnectionError) return isRepeatable ? backoffMs : null;
  if (!(error instanceof ApiError)) return null;
  const { status, code, retryAfterMs } = error;
  if (retryAfterMs !== null && retryAfterMs > longestWaitMs) return null;
  if (status === REJECTED) return retryAfterMs;
  const mayFollow = UNCERTAIN.includes(status) || code === 'idempotency_in_progress';
  return mayFollow && isRepeatable ? (retryAfterMs ?? backoffMs) : null;
}

/** Waits, and rejects with the reason of the signal when it is aborted. */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', abort, { once: true });
  });
}
