import { describe, expect, it } from '@jest/globals';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { generateKey, isWellFormedKey, keyPreview } from './key-format.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const key = fc.constant(null).map(generateKey);
/** A string with its checksum: the CRC-32 as six base62 digits. */
const withChecksum = (text: string): string => {
  const digits = [5, 4, 3, 2, 1, 0].map((power) => Math.floor(crc32(text) / 62 ** power) % 62);
  return text + digits.map((digit) => ALPHABET[digit]).join('');
};

describe('the format of API keys', () => {
  it('generates keys of shp_ and 36 base62 characters, always well formed, never twice the same', () => {
    const keys = Array.from({ length: 10_000 }, generateKey);
    expect(keys.filter((one) => !/^shp_[0-9A-Za-z]{36}$/.test(one))).toEqual([]);
    expect(keys.filter((one) => !isWellFormedKey(one))).toEqual([]);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('uses every character of the alphabet about as often as any other', () => {
    const counts = new Map<string, number>();
    const keys = Array.from({ length: 2_000 }, generateKey);
    for (const letter of keys.flatMap((one) => [...one.slice(4, 34)])) {
      counts.set(letter, (counts.get(letter) ?? 0) + 1);
    }
    expect(counts.size).toBe(62);
    // 60,000 draws over 62 letters: 968 each; a fifth more or less is six standard deviations away.
    for (const count of counts.values()) expect(Math.abs(count - 968)).toBeLessThan(200);
  });

  it('rejects a key after any change of one character, also of its case', () => {
    fc.assert(
      fc.property(key, fc.nat(39), fc.constantFrom(...ALPHABET, '_', '-', ' ', 'ä'), (one, at, letter) => {
        fc.pre(one[at] !== letter);
        return !isWellFormedKey(one.slice(0, at) + letter + one.slice(at + 1));
      }),
      { numRuns: 10_000 },
    );
  });

  it('rejects a key after any two characters are swapped, neighbours or not', () => {
    const swapped = (one: string, from: number, to: number): string => {
      const letters = [...one];
      [letters[from], letters[to]] = [one[to] ?? '', one[from] ?? ''];
      return letters.join('');
    };
    const rejected = (one: string, from: number, to: number): boolean => {
      fc.pre(one[from] !== one[to]);
      return !isWellFormedKey(swapped(one, from, to));
    };
    fc.assert(
      fc.property(key, fc.nat(38), (one, at) => rejected(one, at, at + 1)),
      { numRuns: 10_000 },
    );
    fc.assert(fc.property(key, fc.nat(39), fc.nat(39), rejected), { numRuns: 10_000 });
  });

  it('rejects a key with one character added or removed anywhere', () => {
    fc.assert(
      fc.property(key, fc.nat(39), fc.constantFrom(...ALPHABET), (one, at, letter) => {
        const longer = one.slice(0, at) + letter + one.slice(at);
        const shorter = one.slice(0, at) + one.slice(at + 1);
        return !isWellFormedKey(longer) && !isWellFormedKey(shorter);
      }),
      { numRuns: 10_000 },
    );
  });

  it('rejects random strings: none is a valid key by chance', () => {
    fc.assert(fc.property(fc.string({ maxLength: 60 }), (text) => !isWellFormedKey(text)));
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: 36, maxLength: 36 }),
        (text) => !isWellFormedKey(`shp_${text}`),
      ),
    );
  });

  it('accepts an issued key for ever: its checksum stays the same', () => {
    // CRC-32 of "shp_" and 30 zeros is 0x9ab8d56a (zlib, also Python's).
    expect(isWellFormedKey(`shp_${'0'.repeat(30)}2pfjKs`)).toBe(true);
  });

  it('rejects a key with a correct checksum but another length or prefix', () => {
    const body = generateKey().slice(0, -6);
    expect(isWellFormedKey(withChecksum(body))).toBe(true);
    for (const other of [`x${body}`, `${body}0`, `shq_${body.slice(4)}`]) {
      expect(isWellFormedKey(withChecksum(other))).toBe(false);
    }
  });

  it.each(['', 'shp_', `${generateKey()}\n`, ` ${generateKey()}`, `shq_${generateKey().slice(4)}`])(
    'rejects the key %j',
    (text) => expect(isWellFormedKey(text)).toBe(false),
  );

  it('shows the prefix and six characters of a key', () => {
    fc.assert(fc.property(key, (one) => keyPreview(one) === `${one.slice(0, 10)}...`));
  });
});
