import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hostnameProblem, shopAddress, txtRecordName, txtRecordValue } from './hostname-rules.js';
import { asciiDomain } from '../../lib/strings/domain.js';

const PLATFORM = 'shops.example.net';
const API = 'api.example.net';
const problemOf = (text: string): string | null => hostnameProblem(asciiDomain(text), PLATFORM, API);

describe('hostnames', () => {
  it.each([
    ['shop.example.com', 'shop.example.com'],
    ['SHOP.Example.COM', 'shop.example.com'],
    ['shop.example.com.', 'shop.example.com'],
    ['  shop.example.com  ', 'shop.example.com'],
    ['müller.example', 'xn--mller-kva.example'],
    ['MÜLLER.example', 'xn--mller-kva.example'],
    ['xn--mller-kva.example', 'xn--mller-kva.example'],
    ['shop。example。com', 'shop.example.com'],
    ['ｓｈｏｐ.example.com', 'shop.example.com'],
  ])('stores the hostname %j as %j', (text, hostname) => {
    expect(asciiDomain(text)).toBe(hostname);
    expect(problemOf(text)).toBeNull();
  });

  it('normalises strings with characters of a URL to an empty hostname', () => {
    for (const text of ['a/example.com', 'a?example.com', 'a%2e.example.com']) expect(asciiDomain(text)).toBe('');
  });

  it('normalises hostnames idempotently', () => {
    fc.assert(
      fc.property(fc.oneof(fc.domain(), fc.string()), (text) => {
        const once = asciiDomain(text);
        return hostnameProblem(once, PLATFORM) !== null || asciiDomain(once) === once;
      }),
    );
  });

  it.each([
    ['', 'not_a_hostname'],
    ['.', 'not_a_hostname'],
    ['example', 'not_a_hostname'],
    ['localhost', 'not_a_hostname'],
    ['shop..example.com', 'not_a_hostname'],
    ['.example.com', 'not_a_hostname'],
    ['shop.example.com..', 'not_a_hostname'],
    ['-shop.example.com', 'not_a_hostname'],
    ['shop-.example.com', 'not_a_hostname'],
    ['_dmarc.example.com', 'not_a_hostname'],
    ['*.example.com', 'not_a_hostname'],
    ['shop example.com', 'not_a_hostname'],
    ['https://shop.example.com', 'not_a_hostname'],
    ['shop.example.com/path', 'not_a_hostname'],
    ['shop.example.com?a', 'not_a_hostname'],
    ['shop.example.com#a', 'not_a_hostname'],
    ['shop%2Eexample.com', 'not_a_hostname'],
    ['shop\\example.com', 'not_a_hostname'],
    ['me@shop.example.com', 'not_a_hostname'],
    ['shop.example.com:443', 'not_a_hostname'],
    [`${'a'.repeat(64)}.example.com`, 'not_a_hostname'],
    ['127.0.0.1', 'ip_address'],
    ['127.0.0.1.', 'ip_address'],
    ['127.1', 'ip_address'],
    ['0x7f000001', 'ip_address'],
    ['2130706433', 'ip_address'],
    ['１２７.0.0.1', 'ip_address'],
    ['[::1]', 'ip_address'],
    ['[::ffff:127.0.0.1]', 'ip_address'],
    [PLATFORM, 'platform_host'],
    [`sky-realm.${PLATFORM}`, 'platform_host'],
    [`a.b.${PLATFORM.toUpperCase()}.`, 'platform_host'],
    [API, 'platform_host'],
    ['shop.localhost', 'special_use'],
    ['realm.local', 'special_use'],
    ['shop.corp.internal', 'special_use'],
    ['shop.onion', 'special_use'],
    ['shop.invalid', 'special_use'],
    ['shop.alt', 'special_use'],
    ['1.0.0.127.in-addr.arpa', 'special_use'],
    ['co.uk', 'public_suffix'],
    ['com.br', 'public_suffix'],
    ['github.io', 'public_suffix'],
    ['s3.amazonaws.com', 'public_suffix'],
  ])('rejects the hostname %j as %s', (text, problem) => {
    expect(problemOf(text)).toBe(problem);
  });

  it.each([
    'shop.co.uk',
    'me.github.io',
    'example.com',
    'example.net',
    `shop.${API}`,
    `not${PLATFORM}`,
    `${PLATFORM}.example.com`,
  ])(
    'accepts %s: only the platform and whole public suffixes are rejected, not names that look like them',
    (hostname) => expect(problemOf(hostname)).toBeNull(),
  );

  it('limits hostnames so that the name of the TXT record is legal for every accepted one', () => {
    const longest = `${'a'.repeat(59)}.`.repeat(4).slice(0, 226) + '.example.com';
    expect(longest).toHaveLength(238);
    expect(problemOf(longest)).toBeNull();
    expect(txtRecordName(longest)).toHaveLength(253);
    expect(problemOf(`a${longest}`)).toBe('not_a_hostname');
  });

  it('writes only the hostname and the token into the name and the value of the TXT record', () => {
    expect(txtRecordName('shop.example.com')).toBe('_shop-platform.shop.example.com');
    expect(txtRecordValue('0123456789abcdef')).toBe('shop-platform-verification=0123456789abcdef');
  });
});

describe('the host of a storefront', () => {
  it.each([
    [`sky-realm.${PLATFORM}`, { uniqueName: 'sky-realm' }],
    [`Sky-Realm.${PLATFORM.toUpperCase()}.:8443`, { uniqueName: 'sky-realm' }],
    ['Shop.Example.com', { hostname: 'shop.example.com' }],
    ['shop.example.com:80', { hostname: 'shop.example.com' }],
    ['MÜLLER.example.:443', { hostname: 'xn--mller-kva.example' }],
    [`${PLATFORM}.example.com`, { hostname: `${PLATFORM}.example.com` }],
    ...[PLATFORM, `a.b.${PLATFORM}`, `-a.${PLATFORM}`, `a_b.${PLATFORM}`, `.${PLATFORM}`].map(
      (host) => [host, null] as const,
    ),
    ...[
      '',
      ':80',
      'localhost:3000',
      '127.0.0.1:3000',
      '[::1]:3000',
      'co.uk',
      'a.example.com:x',
      'a.example.com:1:2',
      'sh:80op.example.com',
    ].map((host) => [host, null] as const),
  ])('reads the storefront host %j as %j', (host, address) => expect(shopAddress(host, PLATFORM)).toEqual(address));
});
