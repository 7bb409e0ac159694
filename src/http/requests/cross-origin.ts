import {
  type CorsOptions,
  type CorsOptionsDelegate,
} from '@nestjs/common/interfaces/external/cors-options.interface.js';
import { type Request } from 'express';
import { AppError } from '../../domain/errors/app-error.js';
import { API_PREFIX } from '../addresses/api-prefix.js';

/** For how long a browser may keep the response to a preflight. Browsers keep it for two hours at most. */
const PREFLIGHT_MAX_AGE_SECONDS = 7_200;

/** The headers of responses that scripts need, beyond those that every script may read. */
const EXPOSED_HEADERS = [
  ...['Content-Disposition', 'ETag', 'Idempotency-Replayed', 'Link', 'RateLimit', 'RateLimit-Policy', 'Retry-After'],
  ...['WWW-Authenticate', 'X-Error-Code', 'X-Error-Fields', 'X-Request-Id', 'X-Total-Count'],
].join(', ');

const PUBLIC_PATH = new RegExp(`^/${API_PREFIX}/[a-z-]+/public/`, 'i');
const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'x-api-key', 'x-order-token']);

/** What a browser requests: as the request is, or as its preflight says that it will be. */
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

/** A page can name an origin of any length. */
const MAX_SHOWN_ORIGIN = 100;

/**
 * Why a preflight is rejected. A browser shows it with the response, and its own message names no reason. The endpoint's 405 for
 * OPTIONS would mislead.
 */
function rejectionOf(origin: string, preflight: BrowserRequest): AppError {
  const others =
    'front ends of shops at their verified domains, the `origins` that a shop lists, and CORS_ORIGINS of this service';
  const isPublic = isPublicRead({ ...preflight, headers: [] });
  const message = `Scripts of ${origin.slice(0, MAX_SHOWN_ORIGIN)} cannot send this request; ${others} can`;
  return new AppError('origin_not_allowed', {
    message: isPublic ? `${message}. Without a credential, every origin can read this` : message,
  });
}

/** Which origins may call the API besides public reads. */
export interface AllowedOrigins {
  /** Origins that the operator of the service allows; `*`: all. */
  readonly configured: '*' | readonly string[];
  /** Whether an origin is the front end of a shop. It is only called where the result matters. */
  readonly isFrontEnd: (origin: string) => Promise<boolean>;
}

/**
 * The options of `app.enableCors` for each request, which let browsers call the API from other origins (CORS,
 * https://fetch.spec.whatwg.org/#http-cors-protocol). Every origin may read what is public. The front ends of shops, and the origins
 * that the operator allows, may send every request. No response allows cookies: that of the console is for our own origin. The preflight of another request
 * is rejected with the reason.
 */
export function crossOrigin({ configured, isFrontEnd }: AllowedOrigins): CorsOptionsDelegate<Request> {
  const allowedFor = async (origin: string | undefined, request: BrowserRequest): Promise<string | null> => {
    if (configured === '*' || isPublicRead(request)) return '*';
    if (origin === undefined) return null;
    return configured.includes(origin) || (await isFrontEnd(origin)) ? origin : null;
  };
  const optionsFor = async (request: Request): Promise<CorsOptions> => {
    const preflight = announced(request);
    const { path, method, headers } = request;
    const allowed = await allowedFor(headers.origin, preflight ?? { path, method, headers: Object.keys(headers) });
    // A cache must not give the response to another origin. The library says so only in responses for an allowed
    // origin.
    if (allowed !== '*') request.res?.vary('Origin');
    if (preflight !== null && allowed === null) throw rejectionOf(headers.origin ?? '', preflight);
    return {
      origin: allowed ?? false,
      exposedHeaders: EXPOSED_HEADERS,
      allowedHeaders: preflight?.headers.join(', '),
      maxAge: PREFLIGHT_MAX_AGE_SECONDS,
      // The library takes each OPTIONS request for a preflight. Any other one gets the 405 of its route.
      preflightContinue: preflight === null,
    };
  };
  return (request, callback) => {
    optionsFor(request).then(
      (options) => {
        callback(null, options);
      },
      (error: unknown) => {
        callback(error as Error, {});
      },
    );
  };
}
