import { Schema, type Types } from 'mongoose';
import { type SchemaFields } from '../../infrastructure/database/stored.js';

export const ROSTER_MODEL = 'Roster';

/**
 * One document per shop, which every change of the team writes. Without it, two owners could demote each other at the same
 * time: the two transactions write different members, so snapshot isolation would let both commit (write skew). With it,
 * they conflict.
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
  } satisfies SchemaFields<RosterRecord>,
  { versionKey: false, collection: 'rosters' },
);
