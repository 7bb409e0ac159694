import { isIP } from 'node:net';
import { API_PREFIX } from '../../http/addresses/api-prefix.js';
import { type ShopAddress, shopAddress } from '../../shops/shops/hostname-rules.js';
import { asciiDomain } from '../../lib/strings/domain.js';

/** Where the controllers of pages are. No client can name these paths: every request for a page is led to them. */
export const PAGES = { shop: '@shop', service: '@service', nowhere: '@nowhere' } as const;

/** One request for a page. */
export interface Visit {
  /** Whose pages; null: those of the service itself. */
  readonly shop: ShopAddress | null;
  /** The host as the visitor wrote it. */
  readonly host: string;
  /** What stands before the paths of the shop's pages; empty at a host of its own. */
  readonly base: string;
  /** What stands before the paths of the assets. */
  readonly root: string;
  /** Below `base`, with one slash: links contain it, and two would name another host. */
  readonly path: string;
}

/** A request for a page, and the path of its controller. */
export interface PageRoute {
  readonly visit: Visit;
  readonly path: string;
}

/** What decides which host serves what. */
export interface HostSettings {
  readonly platformDomain: string;
  /** That of `PUBLIC_URL`; null without one. */
  readonly serviceHost: string | null;
  /** The path of `PUBLIC_URL`, without a slash at its end: a proxy in front removes it. */
  readonly servicePath: string;
  readonly isProduction: boolean;
}

const API = new RegExp(`^/${API_PREFIX}(/|$)`, 'i');
const AUTH = new RegExp(`^/${API_PREFIX}/auth(/|$)`, 'i');
const SHOP = /^\/shops\/([^/]{1,64})(\/.*)?$/;
/** The pages of the service itself. */
const OF_SERVICE = /^\/(assets\/.|console(\/|$)|$)/;

/** Whether a path is one of the API. */
export const isOfApi = (path: string): boolean => API.test(path);

/** Whether a path is one at which people log in: hosts of shops do not serve it. */
export const isOfAuth = (path: string): boolean => AUTH.test(path);

/** The name in a `Host` header as names are compared, without its port, a final dot and the brackets of an IPv6 address. */
export function nameOf(host: string): string {
  const name = host.replace(/:\d{1,5}$/, '').replace(/^\[(.*)\]$/, '$1');
  return isIP(name) === 0 ? asciiDomain(name) : name;
}

/** Whether a host is the service's own. Outside production `localhost` and every IP address are, too. */
export function isServiceHost(host: string, { serviceHost, isProduction }: HostSettings): boolean {
  const name = nameOf(host);
  if (serviceHost !== null && name === serviceHost) return true;
  return !isProduction && (name === 'localhost' || isIP(name) !== 0);
}

/**
 * Where a request for a page leads; null: it is none. Hosts are compared exactly: one that is only like that of a shop serves nothing.
 * @param path without the query
 */
export function pageRouteOf(host: string, path: string, settings: HostSettings): PageRoute | null {
  if (isOfApi(path) || !path.startsWith('/')) return null;
  const { platformDomain, servicePath: root } = settings;
  if (isServiceHost(host, settings)) {
    const [, uniqueName, rest = '/'] = SHOP.exec(path) ?? [];
    if (uniqueName !== undefined) {
      const visit: Visit = { shop: { uniqueName }, host, base: `${root}/shops/${uniqueName}`, root, path: rest };
      return { visit, path: pathIn(PAGES.shop, rest) };
    }
    if (!OF_SERVICE.test(path)) return null;
    return { visit: { shop: null, host, base: '', root, path }, path: pathIn(PAGES.service, path) };
  }
  const shop = shopAddress(host, platformDomain);
  return {
    visit: { shop, host, base: '', root: '', path: path.replace(/^[/\\]+/, '/') },
    path: shop === null ? pathIn(PAGES.nowhere, path) : pathIn(PAGES.shop, path),
  };
}

/** A path that cannot be decoded is one at which nothing is. */
function pathIn(pages: string, path: string): string {
  try {
    decodeURIComponent(path);
    return `/${pages}${path}`;
  } catch {
    return `/${pages}/malformed/path`;
  }
}
