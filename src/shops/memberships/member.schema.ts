import { Schema } from 'mongoose';
import { ROLE_NAMES } from '../../domain/principal/permissions.js';
import { type SchemaFields, type Stored } from '../../infrastructure/database/stored.js';
import { type Member } from './member.types.js';

export const MEMBER_MODEL = 'Member';

export type MemberRecord = Stored<Member, 'shopId' | 'userId'>;

export const memberSchema = new Schema<MemberRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    userId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    role: { type: String, enum: ROLE_NAMES, required: true },
    joinedAt: { type: Date, required: true, immutable: true },
    addedBy: { type: String, required: true, immutable: true },
    updatedBy: { type: String, default: null },
    updatedAt: { type: Date, default: null },
    lastActiveAt: { type: Date, default: null },
  } satisfies SchemaFields<MemberRecord>,
  { versionKey: false, collection: 'members' },
);

// The permission check of every request; one membership per person and shop; the team of a shop.
memberSchema.index({ shopId: 1, userId: 1 }, { unique: true });
// The shops of a person.
memberSchema.index({ userId: 1 });
