import { createSecretKey } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { deriveKey, equalInConstantTime, keyedHash, sha256 } from './keyed-hash.js';

describe('hashes', () => {
  it('hashes with SHA-256 in hex (FIPS 180-4, the example "abc")', () => {
    expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('hashes with a key by HMAC-SHA-256 in hex (RFC 4231, test case 2)', () => {
    const expected = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
    expect(keyedHash(createSecretKey(Buffer.from('Jefe')), 'what do ya want for nothing?')).toBe(expected);
  });
});

describe('derived keys', () => {
  const master = Buffer.alloc(32, 7);

  it('derives keys of 32 bytes that never change for a purpose, so that stored data stays readable', () => {
    expect(deriveKey(master, 'codes').symmetricKeySize).toBe(32);
    expect(deriveKey(master, 'codes').equals(deriveKey(Buffer.alloc(32, 7), 'codes'))).toBe(true);
  });

  it('derives different keys for purposes and master keys, and none that is the master key', () => {
    const keys = [deriveKey(master, 'a'), deriveKey(master, 'b'), deriveKey(Buffer.alloc(32, 8), 'a')];
    const strings = [master, ...keys.map((key) => key.export())].map((key) => key.toString('hex'));
    expect(new Set(strings).size).toBe(4);
  });
});

describe('comparison in constant time', () => {
  it('returns the same as ===, also for different lengths', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (left, right) => {
        return equalInConstantTime(left, right) === (left === right) && equalInConstantTime(left, left);
      }),
    );
    expect(equalInConstantTime('', 'a')).toBe(false);
  });
});
