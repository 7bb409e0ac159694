import { ERROR_CATALOGUE, type ErrorCode } from './error-catalogue.js';

export interface AppErrorDetails {
  /** A more exact public sentence than that of the catalogue. */
  readonly message?: string;
  /** The internal cause; only for the log. */
  readonly cause?: unknown;
  /** Response headers such as `Allow` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The one error that services throw: an entry of the catalogue, with an optional more exact sentence and a cause that only the
 * log shows.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: ErrorCode,
    details: AppErrorDetails = {},
  ) {
    super(details.message ?? ERROR_CATALOGUE[code].message, { cause: details.cause });
    this.headers = details.headers ?? {};
  }
}

/** The error of a caller for whom there is no room now. */
export const unavailable = (): AppError => new AppError('service_unavailable');
