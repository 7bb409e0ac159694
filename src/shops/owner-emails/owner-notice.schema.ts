import { Schema, type Types } from 'mongoose';
import { type SchemaFields } from '../../infrastructure/database/stored.js';
import { NOTICE_KINDS, type NoticeKind } from './owner-notice.types.js';

export const OWNER_NOTICE_MODEL = 'OwnerNotice';

/** What a shop has had notices of one kind about in the last hour. */
export interface OwnerNoticeRecord {
  _id: Types.ObjectId;
  shopId: Types.ObjectId;
  kind: NoticeKind;
  /** When the next email about it can be sent: an hour after the latest one. */
  nextAt: Date;
  /** How many orders wait for the next summary. */
  waiting: number;
  /** How the latest of these orders are called, such as `#1042`. */
  orderNames: string[];
  /** When the database deletes it; null while orders wait. */
  forgetAt: Date | null;
}

const owner = { type: Schema.Types.ObjectId, required: true, immutable: true };

export const ownerNoticeSchema = new Schema<OwnerNoticeRecord>(
  {
    shopId: owner,
    kind: { type: String, enum: NOTICE_KINDS, required: true, immutable: true },
    nextAt: { type: Date, required: true },
    waiting: { type: Number, required: true },
    orderNames: { type: [String], required: true },
    forgetAt: { type: Date, default: null },
  } satisfies SchemaFields<OwnerNoticeRecord>,
  { versionKey: false, collection: 'owner_notices' },
);

// The notices of a shop (`takeFirst`, `takeWaiting`). Unique: it has one record of each kind.
ownerNoticeSchema.index({ shopId: 1, kind: 1 }, { unique: true });
// The shops whose summary is due (`dueShops`).
ownerNoticeSchema.index({ nextAt: 1 });
// Deletes old records.
ownerNoticeSchema.index({ forgetAt: 1 }, { expireAfterSeconds: 0 });
