import { isIP } from 'node:net';
import { isEmail, ValidateBy, type ValidationOptions } from 'class-validator';

/** A URL with one of these schemes and a host. @param word is accepted too */
export function IsConnectionUrl(
  protocols: readonly string[],
  options: ValidationOptions,
  word?: string,
): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isConnectionUrl',
      validator: {
        validate: (value: unknown) => {
          if (value === word) return true;
          if (typeof value !== 'string' || !URL.canParse(value)) return false;
          const { protocol, hostname } = new URL(value);
          return protocols.includes(protocol) && hostname !== '';
        },
      },
    },
    options,
  );
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
  return ValidateBy(
    {
      name: 'isProxyTrust',
      validator: {
        validate: (value: unknown) =>
          typeof value === 'string' &&
          (/^\d{1,2}$/.test(value) || value.split(',').every((part) => isProxyAddress(part.trim()))),
      },
    },
    options,
  );
}

/** `*`, or origins as browsers know them, apart from upper case, a default port and a slash at the end. */
export function IsOrigins(options: ValidationOptions): PropertyDecorator {
  const isOrigin = (text: string): boolean => {
    if (/[\s?#*]/.test(text) || !URL.canParse(text)) return false;
    const { protocol, username, password, pathname } = new URL(text);
    return ['http:', 'https:'].includes(protocol) && username === '' && password === '' && pathname === '/';
  };
  return ValidateBy(
    {
      name: 'isOrigins',
      validator: {
        validate: (value: unknown) =>
          typeof value === 'string' && (value === '*' || value.split(',').every((part) => isOrigin(part.trim()))),
      },
    },
    options,
  );
}

/** `no-reply@example.com` or `Shop <no-reply@example.com>`. */
export function IsSender(options: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isSender',
      validator: {
        validate: (value: unknown) => {
          if (typeof value !== 'string') return false;
          const [, address = value] = /^[^<>]*<([^<>]+)>$/.exec(value) ?? [];
          return isEmail(address, { require_tld: false, allow_ip_domain: true });
        },
      },
    },
    options,
  );
}
