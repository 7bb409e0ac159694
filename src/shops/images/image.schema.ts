import { Schema, type Types } from 'mongoose';
import { type SchemaFields, type Stored } from '../../infrastructure/database/stored.js';
import { type Image, IMAGE_SIZES, IMAGE_STATES, type ImageSize } from './image.types.js';

export const IMAGE_MODEL = 'Image';
export const IMAGE_FILE_MODEL = 'ImageFile';

export type ImageRecord = Stored<Image, 'shopId'>;

export const imageSchema = new Schema<ImageRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    hash: { type: String, required: true, immutable: true },
    width: { type: Number, required: true, immutable: true },
    height: { type: Number, required: true, immutable: true },
    bytes: { type: Number, required: true, immutable: true },
    state: { type: String, enum: IMAGE_STATES, required: true },
    unusedSince: { type: Date, default: null },
    checkAt: { type: Date, required: true },
    createdAt: { type: Date, required: true, immutable: true },
    createdBy: { type: String, required: true, immutable: true },
  } satisfies SchemaFields<ImageRecord>,
  { versionKey: false, collection: 'images' },
);

// Unique: equal images of a shop are one (`find`, `touch`).
imageSchema.index({ shopId: 1, hash: 1 }, { unique: true });
// The images of a shop, newest first (`list`), and how many there are (`countAll`).
imageSchema.index({ shopId: 1, _id: -1 });
// The images of all shops whose check is due (`claimDue`).
imageSchema.index({ checkAt: 1 });

/** One size of an image, where the database keeps the files. Well below the 16 MB of a document: at most 1280 x 1280 pixels. */
export interface ImageFileRecord {
  _id: Types.ObjectId;
  shopId: Types.ObjectId;
  hash: string;
  size: ImageSize;
  data: Buffer;
}

export const imageFileSchema = new Schema<ImageFileRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    hash: { type: String, required: true, immutable: true },
    size: { type: Number, enum: IMAGE_SIZES, required: true, immutable: true },
    data: { type: Buffer, required: true },
  } satisfies SchemaFields<ImageFileRecord>,
  { versionKey: false, collection: 'image_files' },
);

// The file of an image in a size (`get`, `put`), and all of an image (`remove`).
imageFileSchema.index({ shopId: 1, hash: 1, size: 1 }, { unique: true });
