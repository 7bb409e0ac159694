import { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { API_PREFIX } from './api-prefix.js';

/** For how long a browser may keep the answer to a preflight. Browsers keep it for two hours at most. */
const PREFLIGHT_MAX_AGE_SECONDS = 7_200;
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';

/** The headers of responses that scripts need, beyond those that every script may read. */
const EXPOSED_HEADERS = [
  ...['Content-Disposition', 'ETag', 'Idempotency-Replayed', 'Link', 'RateLimit', 'RateLimit-Policy', 'Retry-After'],
  ...['WWW-Authenticate', 'X-Error-Code', 'X-Request-Id'],
].join(', ');

const PUBLIC_PATH = new RegExp(`^/${API_PREFIX}/[a-z-]+/public/`, 'i');
const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'x-api-key', 'x-order-token']);

/** What a browser asks for with a request: as it is, or as its preflight says that it will be. */
export interface BrowserRequest {
  readonly path: string;
  readonly method: string;
  /** The names of the headers, in lower case. */
  readonly headers: readonly string[];
}

/** Whether every script may send a request: it reads what everybody may see, and has no credential. */
export function isPublicRead({ path, method, headers }: BrowserRequest): boolean {
  const reads = method === 'GET' || method === 'HEAD';
  return reads && PUBLIC_PATH.test(path) && !headers.some((name) => CREDENTIALS.has(name));
}

/** The request that a preflight (https://fetch.spec.whatwg.org/#cors-preflight-fetch) announces; null for any other request. */
function announced({ method, path, headers }: Request): BrowserRequest | null {
  const { origin, 'access-control-request-method': later, 'access-control-request-headers': names } = headers;
  if (method !== 'OPTIONS' || origin === undefined || typeof later !== 'string') return null;
  const listed = typeof names === 'string' ? names.toLowerCase().split(',') : [];
  return { path, method: later, headers: listed.map((name) => name.trim()).filter((name) => name !== '') };
}

/** Which origins may call the API besides public reads. */
export interface AllowedOrigins {
  /** Origins that the operator of the service allows; `*`: all. */
  readonly configured: '*' | readonly string[];
  /** Whether an origin is the front end of a shop. It is only asked where the answer matters. */
  readonly isFrontEnd: (origin: string) => Promise<boolean>;
}

/**
 * Lets browsers call the API from other origins (CORS, https://fetch.spec.whatwg.org/#http-cors-protocol). Every origin may read
 * what is public. The front ends of shops, and the origins that the operator allows, may send every request. No response allows
 * cookies: the API has none.
 */
export function crossOrigin({ configured, isFrontEnd }: AllowedOrigins): RequestHandler {
  const allowedFor = async (origin: string | undefined, request: BrowserRequest): Promise<string | null> => {
    if (configured === '*' || isPublicRead(request)) return '*';
    if (origin === undefined) return null;
    return configured.includes(origin) || (await isFrontEnd(origin)) ? origin : null;
  };
  const handle = async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const preflight = announced(request);
    const { path, method, headers } = request;
    const allowed = await allowedFor(headers.origin, preflight ?? { path, method, headers: Object.keys(headers) });
    // Whoever keeps the response must not give it to another origin.
    if (allowed !== '*') response.vary('Origin');
    if (allowed !== null) {
      response.setHeader('Access-Control-Allow-Origin', allowed);
      response.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
    }
    if (allowed === null || preflight === null) {
      next();
      return;
    }
    response.vary('Access-Control-Request-Headers');
    response.setHeader('Access-Control-Allow-Methods', METHODS);
    if (preflight.headers.length > 0) {
      response.setHeader('Access-Control-Allow-Headers', preflight.headers.join(', '));
    }
    response.setHeader('Access-Control-Max-Age', PREFLIGHT_MAX_AGE_SECONDS);
    response.status(204).end();
  };
  return (request, response, next) => {
    handle(request, response, next).catch(next);
  };
}
