import { Schema, type Types } from 'mongoose';
import { type SchemaFields } from '../../infrastructure/database/stored.js';
import { DAY_MS, SECOND_MS } from '../../lib/time/durations.js';
import { type CodeHolder, type CodeState } from './nickname-code.types.js';

export const NICKNAME_CODE_MODEL = 'NicknameCode';

/** The code of a holder as it is stored. A holder has one code of an order at most. */
export interface NicknameCodeRecord extends CodeState, Pick<CodeHolder, 'holder'> {
  _id: Types.ObjectId;
  orderId: Types.ObjectId;
}

export const nicknameCodeSchema = new Schema<NicknameCodeRecord>(
  {
    orderId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    holder: { type: String, required: true, immutable: true },
    codeHash: { type: String, required: true },
    attemptsLeft: { type: Number, required: true },
    expiresAt: { type: Date, required: true },
    usedAt: { type: Date, default: null },
    day: { type: String, required: true },
    failedToday: { type: Number, required: true },
    sentToday: { type: Number, required: true },
    sentAt: { type: [Date], required: true },
  } satisfies SchemaFields<NicknameCodeRecord>,
  { versionKey: false, collection: 'nickname_change_codes' },
);

// The code of a holder. Unique, so that a holder has one code of an order at most.
nicknameCodeSchema.index({ orderId: 1, holder: 1 }, { unique: true });
// Removes old records. Two days after the code expired, because the counters of the day must stay until the day is over.
nicknameCodeSchema.index({ expiresAt: 1 }, { expireAfterSeconds: (2 * DAY_MS) / SECOND_MS });
