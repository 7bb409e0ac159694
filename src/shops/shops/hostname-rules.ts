import { parse } from 'tldts';
import { asciiDomain } from '../../lib/strings/domain.js';
import { UNIQUE_NAME } from './shop-rules.js';

const TXT_LABEL = '_shop-platform';
/** 253 characters, minus the label before the hostname in the name of its TXT record. */
const MAX_LENGTH = 253 - `${TXT_LABEL}.`.length;
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/** Why a hostname cannot be a custom domain. */
export type HostnameProblem = 'not_a_hostname' | 'ip_address' | 'platform_host' | 'special_use' | 'public_suffix';

/**
 * Top-level names that never lead to a public host (RFC 6761, 6762, 7686, 9476; ICANN's `internal`). `example` and `test` are
 * allowed, because documentation, the demo shop and tests use them.
 */
const SPECIAL_USE = new Set(['localhost', 'local', 'internal', 'invalid', 'onion', 'arpa', 'alt']);

/**
 * Why a normalised hostname cannot be a custom domain, or null. A library has the list of public suffixes (co.uk, github.io):
 * a shop with a public suffix would have every name below it.
 * @param apiHost the host of the API itself, which cannot be a storefront
 */
export function hostnameProblem(hostname: string, platformDomain: string, apiHost?: string): HostnameProblem | null {
  if (hostname.length > MAX_LENGTH) return 'not_a_hostname';
  const parsed = parse(hostname, { allowPrivateDomains: true });
  if (parsed.isIp) return 'ip_address';
  const labels = hostname.split('.');
  if (labels.length < 2 || !labels.every((label) => LABEL.test(label))) return 'not_a_hostname';
  if ([platformDomain, apiHost].includes(hostname) || hostname.endsWith(`.${platformDomain}`)) return 'platform_host';
  if (SPECIAL_USE.has(labels.at(-1) ?? '')) return 'special_use';
  if (parsed.domain === null) return 'public_suffix';
  return null;
}

/** How a host names a shop: by its unique name below the platform's domain, or by its custom domain. */
export type ShopAddress = { readonly uniqueName: string } | { readonly hostname: string };

/**
 * Reads a host as in a `Host` header or an address bar: in upper or lower case, with a port, with a final dot, international.
 * Returns null when it cannot be the host of a shop.
 */
export function shopAddress(host: string, platformDomain: string): ShopAddress | null {
  const hostname = asciiDomain(host.replace(/:\d{1,5}$/, ''));
  const suffix = `.${platformDomain}`;
  if (hostname.endsWith(suffix)) {
    const uniqueName = hostname.slice(0, -suffix.length);
    return UNIQUE_NAME.test(uniqueName) ? { uniqueName } : null;
  }
  return hostnameProblem(hostname, platformDomain) === null ? { hostname } : null;
}

export const HOSTNAME_PROBLEMS: Readonly<Record<HostnameProblem, string>> = {
  not_a_hostname: 'hostname must be a complete hostname such as shop.example.com',
  ip_address: 'hostname must be a name, not an IP address',
  platform_host: 'hostname must not be one of the platform itself',
  special_use: 'hostname must be one that the public internet can reach',
  public_suffix: 'hostname must be below a domain of your own, not a public suffix',
};

/** The name of the TXT record of a claim. */
export function txtRecordName(hostname: string): string {
  return `${TXT_LABEL}.${hostname}`;
}

/** The value of the TXT record of a claim. */
export function txtRecordValue(token: string): string {
  return `shop-platform-verification=${token}`;
}
