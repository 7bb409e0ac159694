import { ERROR_CATALOGUE, type ErrorCode } from './error-catalogue.js';

/** The body of every error response. */
export interface ErrorBody {
  readonly success: false;
  readonly statusCode: number;
  readonly error: string;
  /** When the error happened, ISO 8601. */
  readonly timestamp: string;
  readonly path: string;
}

/**
 * Builds the body of every error response.
 * @param path the path of the request, without secrets
 * @param message a more exact sentence than the catalogue's
 */
export function errorEnvelope(
  code: ErrorCode,
  path: string,
  message: string = ERROR_CATALOGUE[code].message,
): ErrorBody {
  return {
    success: false,
    statusCode: ERROR_CATALOGUE[code].status,
    error: message,
    timestamp: new Date().toISOString(),
    path,
  };
}
