/** What a target begins with that names an address, as requests to a proxy do (RFC 9112, 3.2.2). */
const ADDRESS = /^https?:\/\/[^/?#]*/i;
/** Express' parser has a fast path for strings of this form, which never throws. */
const PATH = /^\/[^#\s]*$/;

/**
 * The target of a request without the address: the path with the query. Nothing in the service depends on the address, which
 * every client can choose.
 *
 * Express' parser throws on some targets, and then calls none of our handlers: the client would get an HTML page, without rate
 * limits and without a line in the log. So such a target must not reach Express.
 * @returns `*` as it is (RFC 9112, 3.2.4); null when it is neither a path nor an http(s) URL, or has a fragment
 */
export function readableTarget(target: string): string | null {
  if (target === '*') return target;
  const [address = ''] = ADDRESS.exec(target) ?? [];
  if (address !== '' && !URL.canParse(address)) return null;
  const rest = target.slice(address.length);
  // An address alone, or with only a query, means the root.
  const path = address === '' || rest.startsWith('/') ? rest : `/${rest}`;
  return PATH.test(path) ? path : null;
}
