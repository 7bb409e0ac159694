import { Schema } from 'mongoose';
import { type SchemaFields } from '../../infrastructure/database/stored.js';

export const MAILBOX_COUNT_MODEL = 'MailboxCount';

/** The limits of emails to buyers (`LIMITS`). `strangerEmails`: over all shops. `shopEmails`: of one shop. */
export const MAILBOX_LIMITS = ['strangerEmails', 'shopEmails'] as const;
export type MailboxLimit = (typeof MAILBOX_LIMITS)[number];

/** The latest emails that count for a limit of one mailbox. */
export interface MailboxCountRecord {
  /** A keyed hash of the limit, the mailbox and, for `shopEmails`, the shop. */
  _id: string;
  limit: MailboxLimit;
  /** When the latest emails were written, at most as many as the limit allows. */
  sentAt: Date[];
  /** How many were withheld since the record exists. */
  withheld: number;
  /** When the latest one was withheld; null: none was. */
  withheldAt: Date | null;
  /** When the database deletes it: when no email in it counts any more. */
  forgetAt: Date;
}

export const mailboxCountSchema = new Schema<MailboxCountRecord>(
  {
    _id: { type: String, required: true },
    limit: { type: String, enum: MAILBOX_LIMITS, required: true, immutable: true },
    sentAt: { type: [Date], required: true },
    withheld: { type: Number, required: true },
    withheldAt: { type: Date, default: null },
    forgetAt: { type: Date, required: true },
  } satisfies SchemaFields<MailboxCountRecord>,
  { versionKey: false, collection: 'mailbox_counts' },
);

// The mailboxes from which emails were withheld (`totals`): few.
mailboxCountSchema.index({ withheldAt: 1 }, { partialFilterExpression: { withheldAt: { $type: 'date' } } });
// Deletes old counts.
mailboxCountSchema.index({ forgetAt: 1 }, { expireAfterSeconds: 0 });
