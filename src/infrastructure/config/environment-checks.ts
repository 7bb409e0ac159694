import { isIP } from 'node:net';
import { isEmail, ValidateBy, type ValidationOptions } from 'class-validator';

/** Requires a string that passes a check. */
function IsStringThat(name: string, passes: (text: string) => boolean, options: ValidationOptions): PropertyDecorator {
  const validate = (value: unknown): boolean => typeof value === 'string' && passes(value);
  return ValidateBy({ name, validator: { validate } }, options);
}

/** The entries of a comma-separated list. */
export function entriesOf(list: string): string[] {
  return list.split(',').map((entry) => entry.trim());
}

/** A URL with one of these schemes and a host. @param word a word that is accepted instead of a URL */
export function IsConnectionUrl(
  protocols: readonly string[],
  options: ValidationOptions,
  word?: string,
): PropertyDecorator {
  const isUrl = (text: string): boolean => {
    if (!URL.canParse(text)) return false;
    const { protocol, hostname } = new URL(text);
    return protocols.includes(protocol) && hostname !== '';
  };
  return IsStringThat('isConnectionUrl', (text) => text === word || isUrl(text), options);
}

const PROXY_NAMES = new Set(['loopback', 'linklocal', 'uniquelocal']);

function isProxyAddress(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const version = isIP(address);
  if (PROXY_NAMES.has(text)) return true;
  if (version === 0 || more.length > 0) return false;
  if (prefix === undefined) return true;
  // Express throws on the prefix 0. It would let every client choose its address, as `true` does.
  return /^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= (version === 4 ? 32 : 128);
}

/** What Express accepts as `trust proxy`, except `true`: with `true`, every client could choose its address. */
export function IsProxyTrust(options: ValidationOptions): PropertyDecorator {
  const passes = (text: string): boolean => /^\d{1,2}$/.test(text) || entriesOf(text).every(isProxyAddress);
  return IsStringThat('isProxyTrust', passes, options);
}

function isOrigin(text: string): boolean {
  if (/[\s?#*]/.test(text) || !URL.canParse(text)) return false;
  const { protocol, username, password, pathname } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && username === '' && password === '' && pathname === '/';
}

/** `*`, or origins as browsers know them, apart from upper case, a default port and a slash at the end. */
export function IsOrigins(options: ValidationOptions): PropertyDecorator {
  return IsStringThat('isOrigins', (text) => text === '*' || entriesOf(text).every(isOrigin), options);
}

/** `no-reply@example.com` or `Shop <no-reply@example.com>`. */
export function IsSender(options: ValidationOptions): PropertyDecorator {
  const passes = (text: string): boolean => {
    const [, address = text] = /^[^<>]*<([^<>]+)>$/.exec(text) ?? [];
    return isEmail(address, { require_tld: false, allow_ip_domain: true });
  };
  return IsStringThat('isSender', passes, options);
}
