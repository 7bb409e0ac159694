import { AppError } from '../../domain/errors/app-error.js';
import { ERROR_CATALOGUE, type ErrorCode } from '../../domain/errors/error-catalogue.js';

/** The message of a page about an error, and the status of its response. */
export interface PageProblem {
  readonly code: ErrorCode;
  readonly problem: string;
  readonly status: number;
  /** Response headers such as `Retry-After`. */
  readonly headers: AppError['headers'];
}

/**
 * Converts an error to the problem that a page shows.
 * @param messageOf returns undefined for codes that the reader cannot resolve
 * @throws the error itself when it has no message
 */
export function problemOf(error: unknown, messageOf: (code: ErrorCode) => string | undefined): PageProblem {
  const problem = error instanceof AppError ? messageOf(error.code) : undefined;
  if (!(error instanceof AppError) || problem === undefined) throw error;
  const { code, headers } = error;
  return { code, problem, status: ERROR_CATALOGUE[code].status, headers };
}
