import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lib/time/durations.js';

/** The waits after the first failed attempts to send an email. */
const FIRST_WAITS_MS = [10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS];
/** The wait after each further one, as mail servers have it: an email leaves soon after the end of an outage, however long it was. */
const WAIT_MS = HOUR_MS;
/** Three days after the first attempt, the email is set aside. */
const MAX_WAITS = FIRST_WAITS_MS.length + (3 * DAY_MS) / WAIT_MS;

/** @param attempts how many attempts have failed, at least 1 @returns null: no further attempt */
export function retryAfter(attempts: number, error: unknown): number | null {
  if (isRejected(error) || attempts > MAX_WAITS) return null;
  return FIRST_WAITS_MS[attempts - 1] ?? WAIT_MS;
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
