import { randomUUID } from 'node:crypto';
import { type NextFunction, type Request, type Response } from 'express';
import { inLogContext } from '../../infrastructure/logging/log-context.js';

const ACCEPTED = /^[A-Za-z0-9-]{8,64}$/;

/**
 * Takes the caller's `X-Request-Id` or makes one. It is returned in the response and written in every log line of the request,
 * with the ids in the path of its route.
 */
export function requestId(request: Request, response: Response, next: NextFunction): void {
  const given = request.get('x-request-id');
  const id = given !== undefined && ACCEPTED.test(given) ? given : randomUUID();
  response.setHeader('X-Request-Id', id);
  inLogContext({ requestId: id }, {}, next, () => request.params);
}
