import { randomUUID } from 'node:crypto';
import { type NextFunction, type Request, type Response } from 'express';
import { requestContext } from './request-context.js';

const ACCEPTED = /^[A-Za-z0-9-]{8,64}$/;

/** Takes the caller's `X-Request-Id` or makes one, echoes it, and carries it through everything that the request does. */
export function requestId(request: Request, response: Response, next: NextFunction): void {
  const given = request.get('x-request-id');
  const id = given !== undefined && ACCEPTED.test(given) ? given : randomUUID();
  response.setHeader('X-Request-Id', id);
  requestContext.run({ requestId: id }, next);
}
