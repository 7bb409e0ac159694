import { Schema } from 'mongoose';
import { type SchemaFields, type Stored } from '../../infrastructure/database/stored.js';
import { type GameServer, type Heartbeat, type Presence, PRESENCES, type ReportedProblem } from './server.types.js';

export const SERVER_MODEL = 'GameServer';

export type GameServerRecord = Stored<GameServer, 'shopId'> & {
  /** What subscribers were notified of last; absent: of nothing. A query finds that as null. */
  announced?: Presence | null;
  /** Of a deleted server: when its deliveries are to be ended next. Absent: none can wait for it any more. */
  deliveriesEndAt?: Date;
  /** When its `medianSeconds` is to be found next. */
  timesDueAt: Date;
};

export const serverSchema = new Schema<GameServerRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    name: { type: String, required: true },
    game: { type: String, required: true },
    address: { type: String, default: null },
    isHidden: { type: Boolean, required: true },
    heartbeat: {
      type: new Schema<Heartbeat>(
        {
          onlinePlayers: { type: Number, required: true },
          maxPlayers: { type: Number, required: true },
          version: { type: String, default: null },
          latencyMs: { type: Number, default: null },
          at: { type: Date, required: true },
        } satisfies SchemaFields<Heartbeat>,
        { _id: false },
      ),
      default: null,
    },
    seenAt: { type: Date, default: null },
    problem: {
      type: new Schema<ReportedProblem>(
        {
          text: { type: String, required: true },
          at: { type: Date, required: true },
        } satisfies SchemaFields<ReportedProblem>,
        { _id: false },
      ),
      default: null,
    },
    announced: { type: String, enum: PRESENCES },
    medianSeconds: { type: Number, default: null },
    timesDueAt: { type: Date, required: true },
    archivedAt: { type: Date, default: null },
    deliveriesEndAt: Date,
    createdAt: { type: Date, required: true, immutable: true },
    createdBy: { type: String, required: true, immutable: true },
  } satisfies SchemaFields<GameServerRecord>,
  { versionKey: false, collection: 'game_servers' },
);

// The servers of a shop that are not deleted, newest first, also only those that are not hidden (`list`); all of them (`listSold`); certain servers of a shop (`countKnown`).
serverSchema.index({ shopId: 1, archivedAt: 1, _id: -1 });
// The servers whose subscribers were notified of another presence than the present one (`findChangedPresence`).
serverSchema.index({ announced: 1, seenAt: 1 });
// The deleted servers whose deliveries are due to be ended (`claimDeleted`).
serverSchema.index({ deliveriesEndAt: 1 }, { sparse: true });
// The servers whose usual time until a delivery is due to be found (`claimTimed`).
serverSchema.index({ archivedAt: 1, timesDueAt: 1 });
