import { Schema, type Types } from 'mongoose';
import { type Role, ROLE_NAMES } from '../common/auth/permissions.js';

export const MEMBER_MODEL = 'Member';
export const MEMBER_COLLECTION = 'members';

export interface MemberRecord {
  _id: Types.ObjectId;
  shopId: Types.ObjectId;
  userId: Types.ObjectId;
  role: Role;
  joinedAt: Date;
  /** The principal that invited the person; the person, when they created the shop. */
  addedBy: string;
  /** The principal that last changed the role; null: it never changed. */
  updatedBy: string | null;
  updatedAt: Date | null;
  lastActiveAt: Date | null;
}

export const memberSchema = new Schema<MemberRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    userId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    role: { type: String, enum: ROLE_NAMES, required: true },
    joinedAt: { type: Date, required: true },
    addedBy: { type: String, required: true },
    updatedBy: { type: String, default: null },
    updatedAt: { type: Date, default: null },
    lastActiveAt: { type: Date, default: null },
  },
  { versionKey: false, collection: MEMBER_COLLECTION },
);

// The permission check of every request; one membership per person and shop; the team of a shop.
memberSchema.index({ shopId: 1, userId: 1 }, { unique: true });
// The shops of a person.
memberSchema.index({ userId: 1 });
