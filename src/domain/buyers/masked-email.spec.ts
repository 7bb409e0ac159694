import { expect, it } from '@jest/globals';
import { maskedEmail } from './masked-email.js';

it.each([
  ['buyer@example.com', 'b***@example.com'],
  ['b@example.com', 'b***@example.com'],
  ['"a@b"@example.com', '"***@example.com'],
])('masks %s as %s', (email, masked) => {
  expect(maskedEmail(email)).toBe(masked);
});
