import { Schema, type Types } from 'mongoose';
import { DAY_MS, SECOND_MS } from '../common/time/durations.js';
import { type CodeState } from './nickname-code.types.js';

export const NICKNAME_CODE_MODEL = 'NicknameCode';

/** The code of an order as it is stored. An order has one code at most. */
export interface NicknameCodeRecord extends CodeState {
  _id: Types.ObjectId;
  orderId: Types.ObjectId;
}

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

// The code of an order. Unique, so that an order has one code at most.
nicknameCodeSchema.index({ orderId: 1 }, { unique: true });
// Removes old records. Two days after the code expired, because the counters of the day must stay until the day is over.
nicknameCodeSchema.index({ expiresAt: 1 }, { expireAfterSeconds: (2 * DAY_MS) / SECOND_MS });
