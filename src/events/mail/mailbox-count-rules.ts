import { type MailboxLimit } from './mailbox-count.schema.js';

/** A limit of one mailbox. */
export interface CountedMailbox {
  /** The keyed hash that names it. */
  readonly id: string;
  readonly limit: MailboxLimit;
  /** How many emails it allows in any time of this length. */
  readonly quota: number;
  readonly windowMs: number;
}

/** The latest emails that count for a limit of one mailbox (`MailboxCountRecord`). */
export interface MailboxCount {
  readonly id: string;
  readonly limit: MailboxLimit;
  readonly sentAt: readonly Date[];
  readonly withheld: number;
  readonly withheldAt: Date | null;
  readonly forgetAt: Date;
}

/**
 * Counts one email to a mailbox, if its limit allows one more; otherwise that one was withheld.
 * @param before null: no email counts for the mailbox
 */
export function withEmail(
  before: MailboxCount | null,
  { id, limit, quota, windowMs }: CountedMailbox,
  now: Date,
): { readonly hasRoom: boolean; readonly after: MailboxCount } {
  const { sentAt = [], withheld = 0, withheldAt = null } = before ?? {};
  const forgetAt = new Date(now.getTime() + windowMs);
  // The list has the latest emails, at most `quota`: so there is room when it is shorter, or when its first one is too old to count.
  const [oldest] = sentAt;
  const hasRoom = sentAt.length < quota || oldest === undefined || oldest.getTime() <= now.getTime() - windowMs;
  const after = hasRoom
    ? { sentAt: [...sentAt, now].slice(-quota), withheld, withheldAt }
    : { sentAt, withheld: withheld + 1, withheldAt: now };
  return { hasRoom, after: { id, limit, ...after, forgetAt } };
}
