import { expect, it } from '@jest/globals';
import { newVerificationCode } from './verification-code.js';

it('returns 8 digits, also with leading zeros', () => {
  const codes = Array.from({ length: 500 }, newVerificationCode);
  for (const code of codes) expect(code).toMatch(/^\d{8}$/);
  expect(new Set(codes).size).toBeGreaterThan(495);
  expect(codes.some((code) => code.startsWith('0'))).toBe(true);
});
