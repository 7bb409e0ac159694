import { Schema, type Types } from 'mongoose';

export const NICKNAME_CODE_MODEL = 'NicknameCode';

/** The verification code of an order: at most one at a time, and what was done with codes today. */
export interface NicknameCodeRecord {
  _id: Types.ObjectId;
  orderId: Types.ObjectId;
  /** HMAC-SHA-256 of the order and the code. */
  codeHash: string;
  attemptsLeft: number;
  expiresAt: Date;
  usedAt: Date | null;
  /** The UTC day (`2026-11-21`) that the counters below are of. */
  day: string;
  failedToday: number;
  sentToday: number;
  /** When the latest codes were sent, newest last. */
  sentAt: Date[];
}

/** Of one order: the code that holds now, and what its limits count. */
export type CodeState = Omit<NicknameCodeRecord, '_id' | 'orderId'>;

export const nicknameCodeSchema = new Schema<NicknameCodeRecord>(
  {
    orderId: { type: Schema.Types.ObjectId, required: true },
    codeHash: { type: String, required: true },
    attemptsLeft: { type: Number, required: true },
    expiresAt: { type: Date, required: true },
    usedAt: { type: Date, default: null },
    day: { type: String, required: true },
    failedToday: { type: Number, required: true },
    sentToday: { type: Number, required: true },
    sentAt: { type: [Date], required: true },
  },
  { versionKey: false, collection: 'nickname_codes' },
);

// The code of an order; one an order.
nicknameCodeSchema.index({ orderId: 1 }, { unique: true });
// Garbage collection only, two days after the code: the counters of the day have to outlive it.
nicknameCodeSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 172_800 });
