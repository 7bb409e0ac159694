import { AppError } from './app-error.js';
import { type ErrorCode } from './error-catalogue.js';

/** The codes of the catalogue that mean 404. */
export type NotFoundCode = Extract<ErrorCode, `${string}_not_found`>;

/**
 * Returns what a repository found.
 * @param found null when the repository found nothing
 * @param message a more exact sentence than the catalogue's
 * @throws AppError `code` when nothing was found
 */
export function orNotFound<Found>(found: Found | null, code: NotFoundCode, message?: string): Found {
  if (found === null) throw new AppError(code, message === undefined ? {} : { message });
  return found;
}
