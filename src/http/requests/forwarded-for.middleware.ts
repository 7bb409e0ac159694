import { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { type Logger } from 'pino';

/** An address with a port, as some proxies send it: `192.0.2.1:5678`, `[2001:db8::1]:5678`; also `[2001:db8::1]`. */
const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;

function withoutPort(entry: string): string {
  const [, version6, version4] = WITH_PORT.exec(entry.trim()) ?? [];
  return version6 ?? version4 ?? entry;
}

/**
 * Turns `X-Forwarded-For` into a list of plain addresses before Express reads the client's address from it. With the ports, each
 * connection of a client would count as another client. Without trusted proxies the header is ignored, and the log says so once:
 * behind a proxy, all clients would share one address and one rate limit.
 */
export function forwardedFor(trustsProxy: boolean, logger: Logger): RequestHandler {
  let warned = false;
  return (request: Request, _response: Response, next: NextFunction) => {
    const { 'x-forwarded-for': value } = request.headers;
    if (typeof value === 'string' && trustsProxy) {
      request.headers['x-forwarded-for'] = value.split(',').map(withoutPort).join(',');
    } else if (value !== undefined && !warned) {
      warned = true;
      logger.warn(
        'X-Forwarded-For is ignored, because TRUST_PROXY is not set: all clients of a proxy share one rate limit',
      );
    }
    next();
  };
}
