import { Schema, type Types } from 'mongoose';

export const PRODUCT_MODEL = 'Product';

export interface ProductRecord {
  _id: Types.ObjectId;
  shopId: Types.ObjectId;
  name: string;
  description: string;
  priceMinor: number;
  currency: string;
  imageUrl: string | null;
  serverIds: Types.ObjectId[];
  commands: string[];
  isActive: boolean;
  createdAt: Date;
  createdBy: string;
}

export const productSchema = new Schema<ProductRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true },
    name: { type: String, required: true },
    // Not `required`: mongoose takes an empty text for a missing one.
    description: { type: String, default: '' },
    priceMinor: { type: Number, required: true },
    currency: { type: String, required: true },
    imageUrl: { type: String, default: null },
    serverIds: { type: [Schema.Types.ObjectId], default: [] },
    commands: { type: [String], default: [] },
    isActive: { type: Boolean, required: true },
    createdAt: { type: Date, required: true },
    createdBy: { type: String, required: true },
  },
  { versionKey: false, collection: 'products' },
);

// Products of a shop, newest first; one product of a shop.
productSchema.index({ shopId: 1, _id: -1 });
