import { AsyncResource } from 'node:async_hooks';
import { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { type Logger } from 'pino';

/**
 * The template of the route (`/api/v2/shops/:shopId/team`), never the path itself, because the path of a webhook contains its
 * secret.
 */
export function routeTemplate(request: Request): string {
  const route = request.route as { path?: unknown } | undefined;
  return typeof route?.path === 'string' ? route.path : 'unmatched';
}

/** Writes one line for each request that finished or was aborted, with the ids in its path. No header, no body, no query, no path. */
export function accessLog(logger: Logger): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const started = process.hrtime.bigint();
    const write = (): void => {
      logger.info(
        {
          method: request.method,
          route: routeTemplate(request),
          status: response.statusCode,
          completed: response.writableFinished,
          durationMs: Number((process.hrtime.bigint() - started) / 1000n) / 1000,
          principal: request.auth?.principal,
          errorCode: response.getHeader('X-Error-Code'),
        },
        'request',
      );
    };
    // A connection that its client closes emits the event outside of the context of the request. `AsyncResource.bind` defines
    // properties on the function, which costs each request more than the rest of its line.
    const context = new AsyncResource('AccessLog');
    response.once('close', () => context.runInAsyncScope(write));
    next();
  };
}
