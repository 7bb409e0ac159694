import { ERROR_CATALOGUE, type ErrorCode } from './error-catalogue.js';

export interface AppErrorDetails {
  /** A more exact public sentence than the catalogue's. */
  readonly message?: string;
  /** What happened inside; for the log only. */
  readonly cause?: unknown;
  /** Answer headers such as `Allow` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The one error that services throw: an entry of the catalogue, with an optional exact sentence and a hidden cause. */
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
