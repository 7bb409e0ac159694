import { type IncomingHttpHeaders } from 'node:http';

/**
 * Whether a browser says that a request is from a page of our own origin. Where it sends `Origin: null`, as for forms of pages without a
 * referrer, it says the same in `Sec-Fetch-Site`, except for old browsers and over plain HTTP. There, and for clients that are
 * no browsers, the result is true: the caller must also require a header or a token that a page of another origin cannot send.
 * @param base the address of the service (`PublicUrl.base`)
 */
export function isFromOwnOrigin(headers: IncomingHttpHeaders, base: string): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin === undefined || origin === 'null') return true;
  return origin === new URL(base).origin || (URL.canParse(origin) && new URL(origin).host === host);
}
