import { type NextFunction, type Request, type Response } from 'express';
import { AppError } from '../../domain/errors/app-error.js';

/**
 * Rejects a request without a Host header or with several (a proxy in front may have read another one than we do; RFC 9112, 3.2),
 * and an `Expect` header that we cannot meet (RFC 9110, 10.1.1). Node itself sends `100 Continue`.
 */
export function checkHead(request: Request, _response: Response, next: NextFunction): void {
  const hosts = request.headersDistinct['host'] ?? [];
  const needsHost = request.httpVersion !== '1.0';
  const expected = request.headers.expect?.toLowerCase() ?? '100-continue';
  if (hosts.length > 1 || (hosts.length === 0 && needsHost)) next(new AppError('host_invalid'));
  else if (expected !== '100-continue') next(new AppError('expectation_failed'));
  else next();
}

/** Tells caches to store nothing, unless a route says otherwise: most responses are only for the holder of a credential. */
export function noStore(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Cache-Control', 'no-store');
  next();
}
