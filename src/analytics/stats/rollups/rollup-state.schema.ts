import { Schema, type Types } from 'mongoose';
import { type SchemaFields } from '../../../infrastructure/database/stored.js';
import { ROLLUP_PHASES, type RollupPhase } from './rollup-phases.js';

export const ROLLUP_STATE_MODEL = 'RollupState';

interface CursorRecord {
  createdAt: Date;
  orderId: Types.ObjectId;
}

/** The state of the sums of a shop. Every transaction that changes the sums writes it, so no two of them commit at once. */
export interface RollupStateRecord {
  _id: Types.ObjectId;
  shopId: Types.ObjectId;
  /** Of the sums that are read. */
  version: number;
  phase: RollupPhase;
  cursor: CursorRecord | null;
  /** How many buyers have a number in the sums that are being written. */
  buyers: number;
  /** How many transactions have changed the sums. */
  revision: number;
  /** Until then one process folds the ledger of the shop. */
  leasedUntil: Date;
}

const integer = { type: Number, required: true };

export const rollupStateSchema = new Schema<RollupStateRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    version: integer,
    phase: { type: String, enum: ROLLUP_PHASES, required: true },
    cursor: {
      type: new Schema<CursorRecord>(
        {
          createdAt: { type: Date, required: true },
          orderId: { type: Schema.Types.ObjectId, required: true },
        } satisfies SchemaFields<CursorRecord>,
        { _id: false },
      ),
      default: null,
    },
    buyers: integer,
    revision: integer,
    leasedUntil: { type: Date, required: true },
  } satisfies SchemaFields<RollupStateRecord>,
  { versionKey: false, collection: 'stats_states' },
);

// Unique: a shop has one state.
rollupStateSchema.index({ shopId: 1 }, { unique: true });
// The shops with a rebuild.
rollupStateSchema.index({ phase: 1, shopId: 1 });
