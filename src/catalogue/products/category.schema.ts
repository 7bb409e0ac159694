import { Schema } from 'mongoose';
import { type SchemaFields, type Stored } from '../../infrastructure/database/stored.js';
import { type Category } from './category.types.js';

export const CATEGORY_MODEL = 'Category';

export type CategoryRecord = Stored<Category, 'shopId' | 'parentId'> & {
  /** Counts the writes that put a product into the category. Without them, the deletion would not see such a product. */
  revision: number;
};

export const categorySchema = new Schema<CategoryRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    name: { type: String, required: true },
    slug: { type: String, default: null },
    // Not `required`: mongoose takes an empty string for a missing one.
    description: { type: String, default: '' },
    parentId: { type: Schema.Types.ObjectId, default: null },
    imageId: { type: String, default: null },
    position: { type: Number, required: true },
    revision: { type: Number, default: 0 },
    createdAt: { type: Date, required: true, immutable: true },
    createdBy: { type: String, required: true, immutable: true },
  } satisfies SchemaFields<CategoryRecord>,
  { versionKey: false, collection: 'categories' },
);

// The categories of a shop, newest first (`list`); all of them (`listSold`).
categorySchema.index({ shopId: 1, _id: -1 });
// Unique: a shop uses a slug for one category.
categorySchema.index({ shopId: 1, slug: 1 }, { unique: true, partialFilterExpression: { slug: { $type: 'string' } } });
