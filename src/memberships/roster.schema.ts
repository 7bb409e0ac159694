import { Schema, type Types } from 'mongoose';

export const ROSTER_MODEL = 'Roster';

/**
 * One document a shop, which every change of its team writes. Two transactions that each read both owners and demote the
 * other one write different members, and snapshot isolation lets both commit (write skew); here they meet.
 */
export interface RosterRecord {
  /** The shop. */
  _id: Types.ObjectId;
  revision: number;
}

export const rosterSchema = new Schema<RosterRecord>(
  {
    _id: { type: Schema.Types.ObjectId, required: true },
    revision: { type: Number, required: true },
  },
  { versionKey: false, collection: 'rosters' },
);
