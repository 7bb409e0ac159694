import { Schema, type Types } from 'mongoose';
import { type SchemaFields } from '../../infrastructure/database/stored.js';
import { LANGUAGES } from '../../lib/formats/languages.js';
import { LOOKS, type SavedView, type Settings, VIEWED_LISTS } from './preferences.types.js';

export const PREFERENCES_MODEL = 'Preferences';

/** What a person prefers, in all shops or in one. */
export interface PreferencesRecord {
  _id: Types.ObjectId;
  userId: Types.ObjectId;
  /** null: in all shops. */
  shopId: Types.ObjectId | null;
  /** Only of all shops. */
  settings: Settings | null;
  /** Only of one shop. */
  views: SavedView[];
}

const settingsSchema = new Schema<Settings>(
  {
    language: { type: String, enum: [...LANGUAGES, null], default: null },
    look: { type: String, enum: LOOKS, required: true },
    shortcuts: { type: Boolean, required: true },
  } satisfies SchemaFields<Settings>,
  { _id: false },
);

const viewSchema = new Schema<SavedView>(
  {
    list: { type: String, enum: VIEWED_LISTS, required: true },
    name: { type: String, required: true },
    filters: { type: String, default: '' },
  } satisfies SchemaFields<SavedView>,
  { _id: false },
);

export const preferencesSchema = new Schema<PreferencesRecord>(
  {
    userId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    shopId: { type: Schema.Types.ObjectId, default: null, immutable: true },
    settings: { type: settingsSchema, default: null },
    views: { type: [viewSchema], required: true },
  } satisfies SchemaFields<PreferencesRecord>,
  { versionKey: false, collection: 'preferences' },
);

// One record of a person for each shop, and one for all shops. Also all of a person, when the account is closed.
preferencesSchema.index({ userId: 1, shopId: 1 }, { unique: true });
