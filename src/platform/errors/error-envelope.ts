import { ERROR_CATALOGUE, type ErrorCode } from './error-catalogue.js';
import { type ErrorEnvelope } from './error-envelope.dto.js';

/**
 * Builds the body of every error response.
 * @param path the path of the request, without secrets
 * @param message a more exact sentence than the catalogue's
 */
export function errorEnvelope(
  code: ErrorCode,
  path: string,
  message: string = ERROR_CATALOGUE[code].message,
): ErrorEnvelope {
  return {
    success: false,
    statusCode: ERROR_CATALOGUE[code].status,
    error: message,
    timestamp: new Date().toISOString(),
    path,
  };
}
