import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SecretBox } from './secret-box.js';

const MASTER = Buffer.alloc(32, 1);
const box = new SecretBox(MASTER, 'credentials');

describe('SecretBox', () => {
  it('decrypts every text that it encrypted, in the same context', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, context) => {
        return box.open(box.seal(text, context), context) === text;
      }),
    );
  });

  it('decrypts it after a restart with the same key', () => {
    const sealed = box.seal('sk_live_1', 'shop/stripe');
    expect(new SecretBox(Buffer.alloc(32, 1), 'credentials').open(sealed, 'shop/stripe')).toBe('sk_live_1');
  });

  it('shows nothing of the text, and encrypts the same text differently each time', () => {
    const sealed = new Set(Array.from({ length: 1_000 }, () => box.seal('sk_live_1', 'shop/stripe')));
    expect(sealed.size).toBe(1_000);
    for (const text of sealed) expect(Buffer.from(text, 'base64').toString('latin1')).not.toContain('sk_live');
  });

  it('rejects a text that was moved to another context, another purpose or another key', () => {
    const sealed = box.seal('sk_live_1', 'shop-a/stripe');
    expect(() => box.open(sealed, 'shop-b/stripe')).toThrow();
    expect(() => new SecretBox(MASTER, 'codes').open(sealed, 'shop-a/stripe')).toThrow();
    expect(() => new SecretBox(Buffer.alloc(32, 2), 'credentials').open(sealed, 'shop-a/stripe')).toThrow();
  });

  it('rejects a text with any single changed bit', () => {
    const sealed = Buffer.from(box.seal('sk_live_1', 'c'), 'base64');
    fc.assert(
      fc.property(fc.nat(sealed.length - 1), fc.nat(7), (at, bit) => {
        const changed = Buffer.from(sealed);
        changed.writeUInt8(changed.readUInt8(at) ^ (1 << bit), at);
        expect(() => box.open(changed.toString('base64'), 'c')).toThrow();
      }),
    );
  });

  it('rejects a text that was cut, also one with a shorter tag', () => {
    for (const text of ['sk_live_1', '']) {
      const sealed = Buffer.from(box.seal(text, 'c'), 'base64');
      for (let length = 0; length < sealed.length; length++) {
        expect(() => box.open(sealed.subarray(0, length).toString('base64'), 'c')).toThrow();
      }
    }
  });
});
