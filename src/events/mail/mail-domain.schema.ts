import { Schema, type Types } from 'mongoose';
import { type SchemaFields } from '../../infrastructure/database/stored.js';

export const MAIL_DOMAIN_MODEL = 'MailDomain';

/** The latest outcomes of emails to the mailboxes of one domain. */
export interface MailDomainRecord {
  _id: Types.ObjectId;
  /** A keyed hash of the domain: a domain can be the name of a person. */
  domainHash: string;
  /** When the mail server last accepted an email to it; null: not since the record exists. */
  acceptedAt: Date | null;
  /** When the mail server last refused one for a reason that may be ours; null: not since the record exists. */
  refusedAt: Date | null;
  /** When the database deletes it. */
  forgetAt: Date;
}

export const mailDomainSchema = new Schema<MailDomainRecord>(
  {
    domainHash: { type: String, required: true, immutable: true },
    acceptedAt: { type: Date, default: null },
    refusedAt: { type: Date, default: null },
    forgetAt: { type: Date, required: true },
  } satisfies SchemaFields<MailDomainRecord>,
  { versionKey: false, collection: 'mail_domains' },
);

// The record of a domain. Unique: it has one (`accepted`, `refused`).
mailDomainSchema.index({ domainHash: 1 }, { unique: true });
// The latest acceptance (`latestAcceptance`).
mailDomainSchema.index({ acceptedAt: 1 });
// The domains that were refused since a time (`countRefused`).
mailDomainSchema.index({ refusedAt: 1 });
// Deletes old records.
mailDomainSchema.index({ forgetAt: 1 }, { expireAfterSeconds: 0 });
