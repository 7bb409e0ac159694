import { Schema } from 'mongoose';
import { type Searchable, SEARCH_WORDS } from '../../infrastructure/database/beginnings.js';
import { type SchemaFields, type Stored } from '../../infrastructure/database/stored.js';
import { REPEAT_RULES } from './product-ownership.js';
import { type Requirement, REQUIREMENT_MODES } from './product-requirements.js';
import { CALENDAR_WINDOWS, LIMIT_HOLDERS, type LimitWindow, type PurchaseLimit } from './purchase-limits.js';
import { type ProductFact, type UncountedProduct } from './product.types.js';

export const PRODUCT_MODEL = 'Product';

export type ProductRecord = Stored<
  UncountedProduct,
  'shopId' | 'categoryId' | 'serverIds' | 'commandListId' | 'countsAs' | 'excludedBy'
> &
  Searchable;

const optionalNumber = { type: Number, default: null };
const optionalDate = { type: Date, default: null };

const limitSchema = new Schema<PurchaseLimit>(
  {
    of: { type: String, enum: LIMIT_HOLDERS, required: true },
    max: { type: Number, required: true },
    window: {
      type: new Schema<LimitWindow>(
        { days: Number, calendar: { type: String, enum: CALENDAR_WINDOWS } } satisfies SchemaFields<LimitWindow>,
        { _id: false },
      ),
      default: null,
    },
  } satisfies SchemaFields<PurchaseLimit>,
  { _id: false },
);

// Strings: no query looks for them.
const requirementSchema = new Schema<Requirement>(
  {
    mode: { type: String, enum: REQUIREMENT_MODES, required: true },
    productIds: { type: [String], required: true },
  } satisfies SchemaFields<Requirement>,
  { _id: false },
);

export const productSchema = new Schema<ProductRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    name: { type: String, required: true },
    slug: { type: String, default: null },
    // Not `required`: mongoose takes an empty string for a missing one.
    description: { type: String, default: '' },
    summary: { type: String, default: null },
    label: { type: String, default: null },
    metadata: {
      type: [
        new Schema<ProductFact>(
          {
            name: { type: String, required: true },
            value: { type: String, required: true },
          } satisfies SchemaFields<ProductFact>,
          { _id: false },
        ),
      ],
      required: true,
    },
    featured: { type: Boolean, required: true },
    priceMinor: { type: Number, required: true },
    compareAtPriceMinor: optionalNumber,
    currency: { type: String, required: true, immutable: true },
    imageUrls: { type: [String], required: true },
    imageIds: { type: [String], required: true },
    categoryId: { type: Schema.Types.ObjectId, default: null },
    position: { type: Number, required: true },
    hasStock: { type: Boolean, required: true },
    maxPerOrder: optionalNumber,
    maxPerBuyer: optionalNumber,
    serverIds: { type: [Schema.Types.ObjectId], required: true },
    commandListId: { type: Schema.Types.ObjectId, required: true },
    durationDays: optionalNumber,
    repeat: { type: String, enum: [...REPEAT_RULES, null], default: null },
    countsAs: { type: Schema.Types.ObjectId, default: null },
    ownedEverywhere: { type: Boolean, required: true },
    requiresOnline: { type: Boolean, required: true },
    restockOnRefund: { type: Boolean, required: true },
    isActive: { type: Boolean, required: true },
    availableFrom: optionalDate,
    availableUntil: optionalDate,
    showBefore: { type: Boolean, required: true },
    limits: { type: [limitSchema], required: true },
    requires: { type: requirementSchema, default: null },
    excludedBy: { type: [Schema.Types.ObjectId], required: true },
    archivedAt: optionalDate,
    createdAt: { type: Date, required: true, immutable: true },
    createdBy: { type: String, required: true, immutable: true },
    searchWords: SEARCH_WORDS,
  } satisfies SchemaFields<ProductRecord>,
  { versionKey: false, collection: 'products' },
);

// The products of a shop that are not deleted, newest first (`list`); all of them (`listSold`); certain products of a shop (`countKnown`).
productSchema.index({ shopId: 1, archivedAt: 1, _id: -1 });
// The products with words of a search (`list`).
productSchema.index({ shopId: 1, searchWords: 1 });
// The products of a category (`clearCategory`).
productSchema.index({ shopId: 1, categoryId: 1 });
// Unique: a shop uses a slug for one product. A deleted product has none, so its slug is free.
productSchema.index({ shopId: 1, slug: 1 }, { unique: true, partialFilterExpression: { slug: { $type: 'string' } } });
