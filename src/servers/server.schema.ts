import { Schema, type Types } from 'mongoose';
import { type Heartbeat } from './server.types.js';

export const SERVER_MODEL = 'GameServer';

export interface GameServerRecord {
  _id: Types.ObjectId;
  shopId: Types.ObjectId;
  name: string;
  game: string;
  address: string | null;
  isHidden: boolean;
  heartbeat: Heartbeat | null;
  createdAt: Date;
  createdBy: string;
}

export const serverSchema = new Schema<GameServerRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true },
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
        },
        { _id: false },
      ),
      default: null,
    },
    createdAt: { type: Date, required: true },
    createdBy: { type: String, required: true },
  },
  { versionKey: false, collection: 'game_servers' },
);

// Servers of a shop, newest first; one server of a shop.
serverSchema.index({ shopId: 1, _id: -1 });
