import { type Request } from 'express';
import { cookieValues } from '../../http/requests/cookie-values.js';

export const CONSOLE_COOKIE = 'session';

/**
 * The value of the console's cookie in a request; null without one. Several are ambiguous: another site below the same domain may have set
 * one of them.
 */
export function consoleCookieOf({ headers }: Request): string | null {
  const [value, ...more] = cookieValues(headers.cookie, CONSOLE_COOKIE);
  return value === undefined || more.length > 0 ? null : value;
}

/** Whether the cookie is what identifies the caller of a request: a key or a bearer token counts before it. */
export function isByCookie(request: Request): boolean {
  const { authorization, 'x-api-key': key } = request.headers;
  return authorization === undefined && key === undefined && consoleCookieOf(request) !== null;
}
