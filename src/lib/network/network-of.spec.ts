import { describe, expect, it } from '@jest/globals';
import { networkOf } from './network-of.js';

describe('networkOf', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('counts %s as %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it.each(['user:655f1c2ab1e4a9d3f0c81234', 'robin@example.com', 'shop:1', ''])('returns %j unchanged', (subject) => {
    expect(networkOf(subject)).toBe(subject);
  });

  it('counts all callers without an address as one', () => {
    expect(networkOf(undefined)).toBe('unknown');
  });
});
