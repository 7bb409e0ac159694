import { Schema } from 'mongoose';
import { type Searchable, SEARCH_WORDS } from '../../infrastructure/database/beginnings.js';
import { type SchemaFields, type Stored } from '../../infrastructure/database/stored.js';
import { DISCOUNT_TYPES, type UncountedDiscount } from './discount.types.js';

export const DISCOUNT_MODEL = 'Discount';

export type DiscountRecord = Stored<UncountedDiscount, 'shopId' | 'productIds' | 'serverIds'> &
  Searchable & {
    /** When subscribers were notified that no use is left; absent: they were not. */
    exhaustedAt?: Date;
  };

const optionalNumber = { type: Number, default: null };
const optionalInstant = { type: Date, default: null };
const optionalIds = { type: [Schema.Types.ObjectId], default: null };

export const discountSchema = new Schema<DiscountRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    code: { type: String, required: true },
    name: { type: String, default: null },
    type: { type: String, enum: DISCOUNT_TYPES, required: true },
    value: { type: Number, required: true },
    currency: { type: String, required: true, immutable: true },
    maxDiscountMinor: optionalNumber,
    minOrderMinor: optionalNumber,
    productIds: optionalIds,
    serverIds: optionalIds,
    maxUses: optionalNumber,
    maxUsesPerBuyer: optionalNumber,
    firstPurchaseOnly: { type: Boolean, required: true },
    excludesReduced: { type: Boolean, required: true },
    startsAt: optionalInstant,
    endsAt: optionalInstant,
    exhaustedAt: { type: Date },
    isActive: { type: Boolean, required: true },
    createdAt: { type: Date, required: true, immutable: true },
    createdBy: { type: String, required: true, immutable: true },
    searchWords: SEARCH_WORDS,
  } satisfies SchemaFields<DiscountRecord>,
  { versionKey: false, collection: 'discounts' },
);

// The discount with a code (`findByCode`), and those whose code has a beginning (`list`). Unique: a shop uses a code for one discount.
discountSchema.index({ shopId: 1, code: 1 }, { unique: true });
// Those with words in their name (`list`).
discountSchema.index({ shopId: 1, searchWords: 1 });
// The discounts of a shop, newest first (`list`).
discountSchema.index({ shopId: 1, _id: -1 });
