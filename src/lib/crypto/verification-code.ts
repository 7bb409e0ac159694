import { randomInt } from 'node:crypto';

const CODE_DIGITS = 8;

/** A code of 8 digits, from the system's random source, for a person to copy from an email. */
export function newVerificationCode(): string {
  return String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
}
