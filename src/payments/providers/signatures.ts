import { AppError } from '../../domain/errors/app-error.js';
import { equalInConstantTime } from '../../lib/crypto/keyed-hash.js';

/** How far the time of a signature may differ from ours, in both directions. */
export const TOLERANCE_SECONDS = 300;
/** A rotation needs a few signatures. More of them are an attack. */
const MAX_SIGNATURES = 16;
/** Seconds since the epoch. Milliseconds have more digits. */
const SECONDS = /^[1-9]\d{8,10}$/;

/** Whether an instant is within the tolerance of `now`. */
export function isNear(instant: Date, now: Date): boolean {
  return Math.abs(now.getTime() - instant.getTime()) <= TOLERANCE_SECONDS * 1000;
}

/** The instant of a timestamp, a string with seconds since the epoch; null for any other string. */
export function instantOfSeconds(timestamp: string): Date | null {
  return SECONDS.test(timestamp) ? new Date(Number(timestamp) * 1000) : null;
}

/**
 * The error for a request that is not authentic. Only who knows the secret in the webhook's path reads the reason.
 * @param reason a sentence without its end, which says what to change
 */
export function notAuthentic(reason: string): AppError {
  return new AppError('webhook_rejected', { message: `The webhook request was rejected: ${reason}` });
}

/** The signature of a request, as a provider's own scheme has it. */
export interface PresentedSignature {
  /** The header that holds it. */
  readonly header: string;
  readonly isPresent: boolean;
  readonly matches: boolean;
  /** When it was made; null for a timestamp of another form. */
  readonly sentAt: Date | null;
}

/**
 * Requires a signature that matches and is not old.
 * @throws AppError webhook_rejected, with the reason
 */
export function requireAuthentic({ header, isPresent, matches, sentAt }: PresentedSignature, receivedAt: Date): void {
  if (!isPresent) throw notAuthentic(`it has no header ${header}`);
  if (!matches)
    throw notAuthentic(
      `the signature in ${header} does not match the body: check the signing secret, and sign the bytes that are sent`,
    );
  requireNear(sentAt, receivedAt);
}

/** @throws AppError webhook_rejected unless the instant is within the tolerance */
export function requireNear(sentAt: Date | null, receivedAt: Date): void {
  if (sentAt === null) throw notAuthentic('its timestamp does not have the form that the provider sends');
  if (isNear(sentAt, receivedAt)) return;
  const seconds = Math.round((receivedAt.getTime() - sentAt.getTime()) / 1000);
  const when = seconds > 0 ? `${seconds} seconds old` : `${-seconds} seconds in the future`;
  throw notAuthentic(
    `its timestamp is ${when}, and ${TOLERANCE_SECONDS} are allowed: check the clocks, and sign each repetition again`,
  );
}

/**
 * Whether one of the presented signatures is the expected one. Compares the strings in constant time. It does not
 * compare decoded bytes, because several strings decode to the same bytes.
 */
export function anyMatches(expected: string, presented: readonly string[]): boolean {
  if (presented.length > MAX_SIGNATURES) return false;
  return presented.map((signature) => equalInConstantTime(signature, expected)).includes(true);
}
