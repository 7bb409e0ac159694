/** Path segments as long as our shortest secret (a webhook's path secret, a key, a token) are never repeated to anybody. */
const SECRET_LIKE = /[^/]{32,}/g;
const MAX_LENGTH = 256;

/**
 * The path of a request as it may be shown in error bodies: without the query string, with every segment that could be a
 * secret replaced. ObjectIds (24 characters) stay readable.
 */
export function publicPath(url: string): string {
  const end = url.search(/[?#]/);
  const path = (end === -1 ? url : url.slice(0, end)).replace(SECRET_LIKE, '[redacted]');
  return path.length > MAX_LENGTH ? `${path.slice(0, MAX_LENGTH)}...` : path;
}
