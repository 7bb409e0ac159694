/** A request to a webhook that got no response, or not the right one. The code says why, and names no address. */
export class SendingError extends Error {
  override readonly name = 'SendingError';

  constructor(
    readonly code: string,
    /** The wait before the next attempt that the receiver requests, in milliseconds; null: none. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(`A webhook was not delivered: ${code}`);
  }
}

const CODE = /^[A-Z0-9_]{1,60}$/;

/** The error of a request as a `SendingError`. */
export function sendingErrorOf(error: unknown): SendingError {
  if (error instanceof SendingError) return error;
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return new SendingError(typeof code === 'string' && CODE.test(code) ? code.toLowerCase() : 'connection_failed');
}
