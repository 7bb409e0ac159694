import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lib/time/durations.js';
import { EmailRefusedError } from './email-refused-error.js';

/** The waits after the first failed attempts to send an email. */
const FIRST_WAITS_MS = [10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS];
/** The wait after each further one, as mail servers have it: an email leaves soon after the end of an outage, however long it was. */
const WAIT_MS = HOUR_MS;
/** Three days after the first attempt, the email is set aside. */
const MAX_WAITS = FIRST_WAITS_MS.length + (3 * DAY_MS) / WAIT_MS;

/** How many domains must be refused, without an acceptance between, until the account counts as refused. */
export const REFUSED_DOMAINS = 3;
/** How long an acceptance shows that the account works. */
export const ACCEPTING_MS = HOUR_MS;
/** How long an email is retried that one domain refuses by its policy, while others accept: as long as an operator may need to see it. */
const POLICY_MS = DAY_MS;

/**
 * What a permanent refusal is about. `mailbox`: it names the mailbox of the reader. `unclear`: 550 without a reason, to the address
 * of the reader. `policy`: a rule of the server (5.7.x), of ours or of the reader's. `account`: our account, sender or network.
 */
export type Refusal = 'mailbox' | 'unclear' | 'policy' | 'account';

/** The codes of a mailbox (RFC 3463): of its address, disabled, full, or unable to show the letters of an address. */
const OF_MAILBOX = /^5\.(?:1\.\d+|2\.[12]|6\.7)$/;
/** Two codes of an address are about the one of the sender. */
const OF_SENDER = new Set(['5.1.7', '5.1.8']);
const STATUS_CODE = /^\d{3}[ -]#?(5\.\d{1,3}\.\d{1,3})\b/m;
const LOGIN_REQUIRED = 530;

/** @param error of an attempt to send an email @returns null: no permanent refusal, but a temporary one or an outage */
export function refusalOf(error: unknown): Refusal | null {
  const { command, response, responseCode } = error as Readonly<Record<string, unknown>>;
  if (typeof responseCode !== 'number' || responseCode < 500 || responseCode > 599) return null;
  const isOfReader = command === 'RCPT TO' || command === 'DATA';
  if (!isOfReader || responseCode === LOGIN_REQUIRED) return 'account';
  const [, status] = STATUS_CODE.exec(String(response)) ?? [];
  if (status === undefined) return responseCode === 550 && command === 'RCPT TO' ? 'unclear' : 'account';
  if (OF_MAILBOX.test(status) && !OF_SENDER.has(status)) return 'mailbox';
  return status.startsWith('5.7.') ? 'policy' : 'account';
}

/**
 * Whether another attempt is useless.
 * @param context whether the server accepts emails to other domains, and how long ago this one was written
 */
export function isFinal(refusal: Refusal, context: { readonly isAccepting: boolean; readonly ageMs: number }): boolean {
  switch (refusal) {
    case 'mailbox':
      return true;
    case 'unclear':
      return context.isAccepting;
    case 'policy':
      return context.isAccepting && context.ageMs >= POLICY_MS;
    case 'account':
      return false;
  }
}

/** @param attempts how many attempts have failed, at least 1 @returns null: no further attempt */
export function retryAfter(attempts: number, error: unknown): number | null {
  if ((error instanceof EmailRefusedError && error.isFinal) || attempts > MAX_WAITS) return null;
  return FIRST_WAITS_MS[attempts - 1] ?? WAIT_MS;
}

/** The mailbox of a sender, such as `no-reply@example.com` of `Shop <no-reply@example.com>`, and the name before it. */
export function senderOf(from: string): { readonly name: string; readonly address: string } {
  const [, name = '', address = from] = /^\s*"?(.*?)"?\s*<([^<>]+)>\s*$/.exec(from) ?? [];
  return { name, address: address.trim() };
}
