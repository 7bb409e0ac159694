import { domainToASCII } from 'node:url';
import { parse } from 'tldts';
import { UNIQUE_NAME } from './shop-rules.js';

const TXT_LABEL = '_shop-platform';
/** 253 characters, less the label that stands before the hostname in its TXT record's name. */
const MAX_LENGTH = 253 - `${TXT_LABEL}.`.length;
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/** Why a hostname cannot be a custom domain. */
export type DomainProblem = 'not_a_hostname' | 'ip_address' | 'platform_host' | 'special_use' | 'public_suffix';

/**
 * Top-level names that never lead to a public host (RFC 6761, 6762, 7686, 9476; ICANN's `internal`). `example` and `test` are
 * not here: nothing answers for them either, and documentation, the demo shop and tests stand on them.
 */
const SPECIAL_USE = new Set(['localhost', 'local', 'internal', 'invalid', 'onion', 'arpa', 'alt']);

/** What would make a URL of it: `domainToASCII` cuts or decodes these silently, and the caller would get another name. */
const NOT_IN_HOSTNAMES = /[/\\?#%]/;

/**
 * Brings a hostname into the one form that is stored and compared: lower case, punycode, without a final dot.
 * Empty when the text is no hostname.
 */
export function normaliseHostname(text: string): string {
  if (NOT_IN_HOSTNAMES.test(text)) return '';
  return domainToASCII(text.trim().replace(/\.$/, '')).toLowerCase();
}

/**
 * Why a normalised hostname is refused, or null. Public suffixes (co.uk, github.io) come from the kept list of a library:
 * whoever could claim one would hold everybody's names below it.
 * @param apiHost the host of the API itself, which no storefront may stand in front of
 */
export function domainProblem(hostname: string, platformDomain: string, apiHost?: string): DomainProblem | null {
  if (hostname === '' || hostname.length > MAX_LENGTH) return 'not_a_hostname';
  const parsed = parse(hostname, { allowPrivateDomains: true });
  if (parsed.isIp) return 'ip_address';
  const labels = hostname.split('.');
  if (labels.length < 2 || !labels.every((label) => LABEL.test(label))) return 'not_a_hostname';
  if ([platformDomain, apiHost].includes(hostname) || hostname.endsWith(`.${platformDomain}`)) return 'platform_host';
  if (SPECIAL_USE.has(labels.at(-1) ?? '')) return 'special_use';
  if (parsed.domain === null || parsed.publicSuffix === hostname) return 'public_suffix';
  return null;
}

/** What the host of a storefront names: the shop with this name below the platform, or the holder of this hostname. */
export type ShopAddress = { readonly uniqueName: string } | { readonly hostname: string };

/**
 * Whose storefront a host is, as a `Host` header or an address bar spells it: in any case, with a port, with a final dot,
 * international. Null when it can be nobody's.
 */
export function shopAddress(host: string, platformDomain: string): ShopAddress | null {
  const hostname = normaliseHostname(host.replace(/:\d{1,5}$/, ''));
  const suffix = `.${platformDomain}`;
  if (hostname.endsWith(suffix)) {
    const uniqueName = hostname.slice(0, -suffix.length);
    return UNIQUE_NAME.test(uniqueName) ? { uniqueName } : null;
  }
  return domainProblem(hostname, platformDomain) === null ? { hostname } : null;
}

export const DOMAIN_PROBLEMS: Readonly<Record<DomainProblem, string>> = {
  not_a_hostname: 'hostname must be a complete hostname such as shop.example.com',
  ip_address: 'hostname must be a name, not an IP address',
  platform_host: 'hostname must not be one of the platform itself',
  special_use: 'hostname must be one that the public internet can reach',
  public_suffix: 'hostname must be below a domain of your own, not a public suffix',
};

/** Where the TXT record of a claim has to stand. */
export function txtRecordName(hostname: string): string {
  return `${TXT_LABEL}.${hostname}`;
}

/** The TXT record's value. */
export function txtRecordValue(token: string): string {
  return `shop-platform-verification=${token}`;
}
