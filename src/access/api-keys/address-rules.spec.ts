import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addressProblems, isWithin } from './address-rules.js';

describe('a list of addresses', () => {
  it.each([
    '192.0.2.7',
    '0.0.0.0/0',
    '10.0.0.5/8',
    '192.0.2.7/32',
    '::1',
    '::/0',
    '2001:DB8::1/128',
    '2001:db8:0:0:0:0:192.0.2.7/96',
  ])('accepts a list of addresses with %s', (text) => expect(addressProblems([text])).toEqual([]));

  it.each([
    '',
    'localhost',
    'example.com/24',
    '192.0.2',
    '192.0.2.256',
    '192.0.2.07',
    '192.0.2.7/33',
    '192.0.2.7/-1',
    '192.0.2.7/08',
    '192.0.2.7/',
    '192.0.2.7/255.255.255.0',
    '192.0.2.1-192.0.2.9',
    '192.0.2.*',
    ' 192.0.2.7',
    '192.0.2.7\n',
    '2001:db8::1/129',
    '2001:db8::1::2',
    'fe80::1%eth0',
    '[::1]',
    '٣.0.0.1',
  ])('rejects a list of addresses with %j', (text) =>
    expect(addressProblems([text])).toEqual([`ipAllowlist: ${text} is not an IP address or CIDR range`]),
  );

  it('requires IPv4 addresses as IPv4: the form mapped to IPv6 would be a second spelling', () => {
    for (const text of ['::ffff:192.0.2.7', '::FFFF:c000:207', '::ffff:0:0/96', '0:0:0:0:0:ffff:10.0.0.0/104']) {
      expect(addressProblems([text])).toEqual([`ipAllowlist: write the IPv4 address ${text} without ::ffff:`]);
    }
  });
});

describe('an address', () => {
  it.each([
    ['192.0.2.7', ['192.0.2.7'], true],
    ['192.0.2.8', ['192.0.2.7'], false],
    ['10.200.3.4', ['10.0.0.5/8'], true],
    ['11.0.0.1', ['10.0.0.0/8'], false],
    ['203.0.113.9', ['192.0.2.7', '203.0.113.8/29'], true],
    ['203.0.113.16', ['192.0.2.7', '203.0.113.8/29'], false],
    ['1.2.3.4', ['0.0.0.0/0'], true],
    // The same client through a dual-stack socket, in both spellings.
    ['::ffff:192.0.2.7', ['192.0.2.0/24'], true],
    ['::ffff:c000:207', ['192.0.2.0/24'], true],
    ['::FFFF:192.0.3.7', ['192.0.2.0/24'], false],
    ['2001:db8::1', ['2001:DB8:0::1'], true],
    ['2001:db8::2', ['2001:db8::1'], false],
    ['2001:db8:1:2::3', ['2001:db8:1::/48'], true],
    ['2001:db8:2::3', ['2001:db8:1::/48'], false],
    ['fe80::1%eth0', ['fe80::/10'], true],
    // A range of one family never contains an address of the other.
    ['192.0.2.7', ['::/0'], false],
    ['::ffff:192.0.2.7', ['::/0'], false],
    ['2001:db8::1', ['0.0.0.0/0'], false],
    ['::192.0.2.7', ['192.0.2.7'], false],
    // The address of the client is unknown.
    [undefined, ['0.0.0.0/0', '::/0'], false],
    ['', ['0.0.0.0/0', '::/0'], false],
    ['unknown', ['0.0.0.0/0', '::/0'], false],
    ['192.0.2.7', [], false],
    // What is no range contains nothing.
    ['192.0.2.7', ['localhost'], false],
    ['192.0.2.7', ['localhost', '192.0.2.7'], true],
  ])('compares the address %s with the ranges %j: %s', (address, ranges, within) =>
    expect(isWithin(ranges, address)).toBe(within),
  );

  it('finds an address in a range exactly when both begin with the same bits, for every prefix', () => {
    const bits = (address: string): string =>
      address
        .split('.')
        .map((part) => Number(part).toString(2).padStart(8, '0'))
        .join('');
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), fc.nat(32), (address, base, prefix) => {
        const within = bits(address).slice(0, prefix) === bits(base).slice(0, prefix);
        return (
          isWithin([`${base}/${prefix}`], address) === within &&
          isWithin([`${base}/${prefix}`], `::ffff:${address}`) === within
        );
      }),
    );
  });
});
