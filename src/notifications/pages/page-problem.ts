import { AppError } from '../../platform/errors/app-error.js';
import { ERROR_CATALOGUE, type ErrorCode } from '../../platform/errors/error-catalogue.js';

/** What a page says about an error, and the status of its response. */
export interface PageProblem {
  readonly code: ErrorCode;
  readonly problem: string;
  readonly status: number;
  /** Response headers such as `Retry-After`. */
  readonly headers: AppError['headers'];
}

/**
 * The problem that an error is for the reader of a page.
 * @param textOf undefined for codes that the reader cannot do anything about
 * @throws the error itself when it has no text
 */
export function problemOf(error: unknown, textOf: (code: ErrorCode) => string | undefined): PageProblem {
  const problem = error instanceof AppError ? textOf(error.code) : undefined;
  if (!(error instanceof AppError) || problem === undefined) throw error;
  const { code, headers } = error;
  return { code, problem, status: ERROR_CATALOGUE[code].status, headers };
}
