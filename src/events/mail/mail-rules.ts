import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../platform/time/durations.js';

/** The wait after each failed attempt to send an email. After the last one, about three days later, the email is set aside. */
const WAITS_MS = [
  ...[10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 3 * HOUR_MS],
  ...[6 * HOUR_MS, 12 * HOUR_MS, 24 * HOUR_MS, 24 * HOUR_MS],
];

/** @param attempts how many attempts have failed, at least 1 @returns null: no further attempt */
export function retryAfter(attempts: number, error: unknown): number | null {
  return isRejected(error) ? null : (WAITS_MS[attempts - 1] ?? null);
}

/**
 * Whether the server has rejected this address or this email for good (RFC 5321, 4.2.1: 5yz). Not our login or our own address,
 * which the operator can fix.
 */
function isRejected(error: unknown): boolean {
  const { code, command, responseCode } = error as Readonly<Record<'code' | 'command' | 'responseCode', unknown>>;
  const isOfEmail = code === 'EMESSAGE' || (code === 'EENVELOPE' && command !== 'MAIL FROM');
  return isOfEmail && typeof responseCode === 'number' && responseCode >= 500 && responseCode < 600;
}

/** The mailbox of a sender, such as `no-reply@example.com` of `Shop <no-reply@example.com>`, and the name before it. */
export function senderOf(from: string): { readonly name: string; readonly address: string } {
  const [, name = '', address = from] = /^\s*"?(.*?)"?\s*<([^<>]+)>\s*$/.exec(from) ?? [];
  return { name, address: address.trim() };
}
