import { describe, expect, it } from '@jest/globals';
import { keyUri, matchingStep, newRecoveryCodes, newSecret, readCode } from './second-factor-rules.js';

/** The secret of RFC 6238's test vectors, `12345678901234567890`, in base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const at = (seconds: number): Date => new Date(seconds * 1000);

describe('the codes of an app', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('computes the codes of an app as in RFC 6238, appendix B, at %i s', (seconds, code) => {
    expect(matchingStep(SECRET, code, at(seconds))).toBe(Math.floor(seconds / 30));
  });

  it.each([
    ['two steps before', -60, null],
    ['one step before', -30, 41_152_263],
    ['at its start', -29, 41_152_263],
    ['at its time', 0, 41_152_263],
    ['one step after', 30, 41_152_263],
    ['two steps after', 60, null],
  ])(
    'accepts the codes of an app one time step earlier and later, and identifies them by their own step: %s',
    (_what, shift, step) => {
      expect(matchingStep(SECRET, '005924', at(1_234_567_890 + shift))).toBe(step);
    },
  );

  it.each(['005925', '000000', '05924', '0059240', ''])('rejects %j as a code of an app', (code) => {
    expect(matchingStep(SECRET, code, at(1_234_567_890))).toBeNull();
  });
});

describe('secrets', () => {
  it('generates secrets of 160 bits that are never the same', () => {
    const secrets = Array.from({ length: 100 }, newSecret);
    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(new Set(secrets).size).toBe(100);
  });

  it('gives a secret to an app with the parameters that every app supports', () => {
    expect(keyUri(SECRET, 'owner@example.com')).toBe(
      `otpauth://totp/Shop%20Platform:owner%40example.com?issuer=Shop%20Platform&secret=${SECRET}&algorithm=SHA1&digits=6&period=30`,
    );
  });
});

describe('recovery codes', () => {
  it('generates ten different recovery codes, without letters that look like digits', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/);
  });
});

describe('a typed code', () => {
  it.each([
    ['123456', { kind: 'app', code: '123456' }],
    [' 123 456 ', { kind: 'app', code: '123456' }],
    ['abcde-fghjk', { kind: 'recovery', code: 'abcdefghjk' }],
    ['ABCDE FGHJK', { kind: 'recovery', code: 'abcdefghjk' }],
    ['01234-56789', { kind: 'recovery', code: '0123456789' }],
    ['12345', null],
    ['1234567', null],
    ['१२३४५६', { kind: 'app', code: '123456' }],
    ['abcde-fghji', null],
    ['abcde-fghjkm', null],
    ['iabcde-fghjk', null],
    ['', null],
  ])('reads the typed code %j as %j', (typed, read) => {
    expect(readCode(typed)).toEqual(read);
  });
});
