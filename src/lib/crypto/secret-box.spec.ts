import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { keyId } from './encryption-keys.js';
import { deriveKey } from './keyed-hash.js';
import { SecretBox } from './secret-box.js';

const [A, B] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const boxWith = (encryptionKey: Buffer, previousEncryptionKey: Buffer | null = null, purpose = 'credentials') =>
  new SecretBox({ encryptionKey, previousEncryptionKey }, purpose);
const box = boxWith(A);
const ID = keyId(A);
/** The encrypted part of a sealed string. */
const withoutId = (sealed: string): string => sealed.slice(ID.length + 1);

describe('SecretBox', () => {
  it('decrypts every string that it encrypted, in the same context', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, context) => {
        return box.open(box.seal(text, context), context) === text;
      }),
    );
  });

  it('decrypts a string after a restart with the same key', () => {
    const sealed = box.seal('sk_live_1', 'shop/stripe');
    expect(boxWith(Buffer.alloc(32, 1)).open(sealed, 'shop/stripe')).toBe('sk_live_1');
  });

  it('shows nothing of the string, and encrypts the same string differently each time', () => {
    const sealed = new Set(Array.from({ length: 1_000 }, () => box.seal('sk_live_1', 'shop/stripe')));
    expect(sealed.size).toBe(1_000);
    for (const text of sealed)
      expect(Buffer.from(withoutId(text), 'base64').toString('latin1')).not.toContain('sk_live');
  });

  it('rejects a string that was moved to another context, another purpose or another key', () => {
    const sealed = box.seal('sk_live_1', 'shop-a/stripe');
    expect(() => box.open(sealed, 'shop-b/stripe')).toThrow();
    expect(() => boxWith(A, null, 'codes').open(sealed, 'shop-a/stripe')).toThrow();
    expect(() => boxWith(B).open(sealed, 'shop-a/stripe')).toThrow();
  });

  it('rejects a string with any single changed bit', () => {
    const sealed = Buffer.from(withoutId(box.seal('sk_live_1', 'c')), 'base64');
    fc.assert(
      fc.property(fc.nat(sealed.length - 1), fc.nat(7), (at, bit) => {
        const changed = Buffer.from(sealed);
        changed.writeUInt8(changed.readUInt8(at) ^ (1 << bit), at);
        expect(() => box.open(`${ID}.${changed.toString('base64')}`, 'c')).toThrow();
      }),
    );
  });

  it('rejects a string that was cut, also one with a shorter tag', () => {
    for (const text of ['sk_live_1', '']) {
      const sealed = Buffer.from(withoutId(box.seal(text, 'c')), 'base64');
      for (let length = 0; length < sealed.length; length++) {
        const cut = sealed.subarray(0, length).toString('base64');
        expect(() => box.open(`${ID}.${cut}`, 'c')).toThrow();
      }
    }
  });
});

describe('A change of the key', () => {
  const key = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));
  const keys = fc.uniqueArray(key, { minLength: 2, maxLength: 2, selector: (one) => one.toString('hex') });

  it('keeps every string readable while the previous key is configured, and after it was encrypted again without it', () => {
    fc.assert(
      fc.property(keys, fc.string({ unit: 'grapheme' }), fc.string(), ([first = A, second = B], text, context) => {
        const sealed = boxWith(first).seal(text, context);
        const during = boxWith(second, first);
        expect(during.open(sealed, context)).toBe(text);
        expect(() => boxWith(second).open(sealed, context)).toThrow();
        const resealed = during.reseal(sealed, context);
        expect(boxWith(second).open(resealed, context)).toBe(text);
        expect(() => boxWith(first).open(resealed, context)).toThrow();
        expect(during.reseal(resealed, context)).toBe(resealed);
      }),
    );
  });

  it('encrypts with the new key only, and the processes that know it as the previous key can read that', () => {
    const sealed = boxWith(B, A).seal('sk_live_1', 'c');
    expect(sealed.startsWith(`${keyId(B)}.`)).toBe(true);
    expect(boxWith(A, B).open(sealed, 'c')).toBe('sk_live_1');
  });

  it('uses only the key that a sealed string names', () => {
    const bytes = withoutId(box.seal('sk_live_1', 'c'));
    expect(() => boxWith(B, A).open(`${keyId(B)}.${bytes}`, 'c')).toThrow();
    for (const sealed of [`00000000.${bytes}`, `.${bytes}`, bytes]) expect(() => box.open(sealed, 'c')).toThrow();
  });

  it('skips, when the key changes, what cannot be decrypted', () => {
    expect(() => boxWith(B).reseal(box.seal('sk_live_1', 'c'), 'c')).toThrow();
    expect(() => box.reseal(`${ID}.AAAA`, 'c')).toThrow();
  });
});

describe('The id of a key', () => {
  it('identifies a key by 8 hexadecimal digits, which stay the same and are no part of the key', () => {
    expect(keyId(A)).toMatch(/^[0-9a-f]{8}$/);
    expect(keyId(Buffer.from(A))).toBe(keyId(A));
    expect(keyId(A)).not.toBe(keyId(B));
    const derived = deriveKey(A, 'credentials').export();
    for (const secret of [A, derived]) expect(secret.toString('hex')).not.toContain(keyId(A));
  });
});
