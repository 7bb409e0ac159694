import { randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { SECOND_MS } from '../../lib/time/durations.js';
import { ungroupedCodeOf } from '../../lib/strings/code.js';

/** The parameters that every authenticator app supports. Many apps ignore others in the URI (Google's key URI format). */
const PARAMETERS = { issuer: 'Shop Platform', algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** As long as the hash (RFC 4226, section 4). */
const SECRET_BYTES = 20;
/** How many time steps before and after the current one are accepted too. RFC 6238, section 5.2 recommends one. */
const WINDOW = 1;

export const RECOVERY_CODES = 10;
/** Crockford's base32: it has no letters that look like digits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const RECOVERY_LENGTH = 10;

/** A new shared secret, in base32. */
export function newSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The URI that an authenticator app reads from a QR code. */
export function keyUri(secret: string, account: string): string {
  return new TOTP({ ...PARAMETERS, label: account, secret }).toString();
}

/**
 * The time step (of 30 s, counted from 1970) that a code belongs to; null when the code is not accepted now.
 * @param code six digits
 */
export function matchingStep(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const { algorithm, digits, period } = PARAMETERS;
  const shift = TOTP.validate({
    token: code,
    secret: Secret.fromBase32(secret),
    ...{ algorithm, digits, period, timestamp, window: WINDOW },
  });
  return shift === null ? null : Math.floor(timestamp / (period * SECOND_MS)) + shift;
}

/** Ten different codes of 50 random bits each, written as `abcde-fghjk`. */
export function newRecoveryCodes(): string[] {
  const codes = new Set<string>();
  while (codes.size < RECOVERY_CODES) {
    const code = Array.from({ length: RECOVERY_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
    codes.add(`${code.slice(0, RECOVERY_LENGTH / 2)}-${code.slice(RECOVERY_LENGTH / 2)}`);
  }
  return [...codes];
}

/** A code as a person typed it: six digits of an app, a recovery code, or neither (null). */
export type TypedCode = { readonly kind: 'app' | 'recovery'; readonly code: string } | null;

/** Reads a typed code, in any spelling of it. */
export function readCode(typed: string): TypedCode {
  const code = ungroupedCodeOf(typed).toLowerCase();
  if (/^\d{6}$/.test(code)) return { kind: 'app', code };
  return /^[0-9a-hjkmnp-tv-z]{10}$/.test(code) ? { kind: 'recovery', code } : null;
}
