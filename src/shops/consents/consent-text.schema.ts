import { Schema } from 'mongoose';
import { type SchemaFields, type Stored } from '../../infrastructure/database/stored.js';
import { CONSENT_KINDS, type ConsentText } from './consent.types.js';

export const CONSENT_TEXT_MODEL = 'ConsentText';

export type ConsentTextRecord = Stored<ConsentText, 'shopId'>;

export const consentTextSchema = new Schema<ConsentTextRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    kind: { type: String, enum: CONSENT_KINDS, required: true, immutable: true },
    version: { type: Number, required: true, immutable: true },
    hash: { type: String, required: true, immutable: true },
    statement: { type: String, required: true, immutable: true },
    text: { type: String, default: null, immutable: true },
    url: { type: String, default: null, immutable: true },
    createdAt: { type: Date, required: true, immutable: true },
  } satisfies SchemaFields<ConsentTextRecord>,
  { versionKey: false, collection: 'consent_texts' },
);

// The latest version of a kind (`latestVersion`), and certain versions (`findVersions`). Unique: a version has one wording.
consentTextSchema.index({ shopId: 1, kind: 1, version: 1 }, { unique: true });
// The version of a wording (`findByHash`). Unique: a wording is kept once.
consentTextSchema.index({ shopId: 1, kind: 1, hash: 1 }, { unique: true });
