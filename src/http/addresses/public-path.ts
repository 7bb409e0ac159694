/**
 * A path segment of at least this length is never shown, because it could be a secret: our shortest secrets (the path secret of a
 * webhook, a key, a token) have this length.
 */
const SECRET_LIKE = /[^/]{32,}/g;
const MAX_LENGTH = 256;

/**
 * The path of a request as error bodies may show it: without the query string, and with every segment replaced that could be a
 * secret. ObjectIds (24 characters) stay readable.
 */
export function publicPath(url: string): string {
  const end = url.search(/[?#]/);
  const path = (end === -1 ? url : url.slice(0, end)).replace(SECRET_LIKE, '[redacted]');
  return path.length > MAX_LENGTH ? `${path.slice(0, MAX_LENGTH)}...` : path;
}
