import { describe, expect, it } from '@jest/globals';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { PageLinks } from './page-links.js';
import { publicPath } from './public-path.js';
import { type PublicUrl } from './public-url.js';

const OLD_KEY = Buffer.alloc(32, 1);
const NEW_KEY = Buffer.alloc(32, 2);
const ORDER = '655f1c2ab1e4a9d3f0c81250';

function linksWith(encryptionKey: Buffer, previousEncryptionKey: Buffer | null = null): PageLinks {
  const url = { base: () => 'https://shops.example' } as PublicUrl;
  return new PageLinks({ encryptionKey, previousEncryptionKey } as AppConfig, url);
}

/** The secret in the link of an order. */
const secretIn = (link: string): string => link.split('/').at(-1) ?? '';

describe('The links to pages', () => {
  const links = linksWith(OLD_KEY);

  it('starts the links to pages with the public address, and ends them with a secret that belongs to one order', () => {
    const link = links.order('sky-realm', ORDER);
    expect(link).toMatch(new RegExp(`^https://shops.example/shops/sky-realm/orders/${ORDER}/[A-Za-z0-9_-]{43}$`));
    expect(links.order('sky-realm', ORDER)).toBe(link);
    expect(links.isSecretOf(ORDER, secretIn(link))).toBe(true);
    expect(links.isSecretOf('655f1c2ab1e4a9d3f0c81251', secretIn(link))).toBe(false);
    expect(links.isSecretOf(ORDER, secretIn(link).slice(1))).toBe(false);
    expect(links.isSecretOf(ORDER, '')).toBe(false);
  });

  it('keeps the secret of a link out of every path that an error body contains', () => {
    const { pathname } = new URL(links.order('sky-realm', ORDER));
    expect(publicPath(pathname)).toBe(`/shops/sky-realm/orders/${ORDER}/[redacted]`);
  });

  it('accepts the links of an order while the encryption key is replaced, and not with another key', () => {
    const secret = secretIn(links.order('sky-realm', ORDER));
    expect(linksWith(NEW_KEY, OLD_KEY).isSecretOf(ORDER, secret)).toBe(true);
    expect(linksWith(NEW_KEY).isSecretOf(ORDER, secret)).toBe(false);
    expect(linksWith(NEW_KEY, OLD_KEY).order('sky-realm', ORDER)).toBe(linksWith(NEW_KEY).order('sky-realm', ORDER));
  });

  it('writes the token into links to invitations and password resets', () => {
    expect(links.invitation('shi_a-b')).toBe('https://shops.example/api/v2/pages/invitations/shi_a-b');
    expect(links.passwordReset('shw_a/b')).toBe('https://shops.example/api/v2/pages/password-resets/shw_a%2Fb');
  });
});
