import { Schema } from 'mongoose';
import { type Searchable, SEARCH_WORDS } from '../../infrastructure/database/beginnings.js';
import { type SchemaFields, type Stored } from '../../infrastructure/database/stored.js';
import { type Ban } from './ban.types.js';

export const BAN_MODEL = 'Ban';

export type BanRecord = Stored<Ban, 'shopId'> & Searchable;

export const banSchema = new Schema<BanRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    nickname: { type: String, default: null },
    email: { type: String, default: null },
    key: { type: String, required: true },
    reason: { type: String, required: true },
    until: { type: Date, default: null },
    createdAt: { type: Date, required: true },
    createdBy: { type: String, required: true },
    searchWords: SEARCH_WORDS,
  } satisfies SchemaFields<BanRecord>,
  { versionKey: false, collection: 'bans' },
);

// The bans of a buyer (`findOf`), and those of several (`bannedKeys`). Unique: a shop bans a player or a mailbox once.
banSchema.index({ shopId: 1, key: 1 }, { unique: true });
// The bans of a shop, newest first (`list`).
banSchema.index({ shopId: 1, _id: -1 });
// The bans with words of a search (`list`).
banSchema.index({ shopId: 1, searchWords: 1 });
