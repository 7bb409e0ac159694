import { randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { SECOND_MS } from '../common/time/durations.js';

/** What every authenticator app knows; many ignore any other figures in the URI (Google's key URI format). */
const FIGURES = { issuer: 'Shop Platform', algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** RFC 4226, 4: as long as the hash. */
const SECRET_BYTES = 20;
/** Steps before and after the current one that are accepted too; RFC 6238, 5.2 advises one. */
const WINDOW = 1;

export const RECOVERY_CODES = 10;
/** Crockford's base32: no letter that is read as a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const RECOVERY_LENGTH = 10;

/** A new shared secret, in base32. */
export function newSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** What an authenticator app scans. */
export function keyUri(secret: string, account: string): string {
  return new TOTP({ ...FIGURES, label: account, secret }).toString();
}

/**
 * The time step (30 s since 1970) whose code this is, of those that are accepted now; null when it is none of them.
 * @param code six digits
 */
export function matchingStep(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const { algorithm, digits, period } = FIGURES;
  const shift = TOTP.validate({
    token: code,
    secret: Secret.fromBase32(secret),
    ...{ algorithm, digits, period, timestamp, window: WINDOW },
  });
  return shift === null ? null : Math.floor(timestamp / (period * SECOND_MS)) + shift;
}

/** Ten distinct codes of 50 random bits each, written `abcde-fghjk`. */
export function newRecoveryCodes(): string[] {
  const codes = new Set<string>();
  while (codes.size < RECOVERY_CODES) {
    const code = Array.from({ length: RECOVERY_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
    codes.add(`${code.slice(0, RECOVERY_LENGTH / 2)}-${code.slice(RECOVERY_LENGTH / 2)}`);
  }
  return [...codes];
}

/** What somebody typed: the six digits of an app, a recovery code, or neither. Spaces, hyphens and case don't count. */
export type TypedCode = { readonly kind: 'app' | 'recovery'; readonly code: string } | null;

export function readCode(typed: string): TypedCode {
  const code = typed.toLowerCase().replace(/[\s-]/g, '');
  if (/^\d{6}$/.test(code)) return { kind: 'app', code };
  return /^[0-9a-hjkmnp-tv-z]{10}$/.test(code) ? { kind: 'recovery', code } : null;
}
