import { Schema, type Types } from 'mongoose';
import { type SchemaFields } from '../../infrastructure/database/stored.js';
import { type Role, ROLE_NAMES } from '../../domain/principal/permissions.js';

export const INVITATION_MODEL = 'Invitation';

/** Only open invitations are stored. An invitation is removed when it is accepted, declined or revoked. */
export interface InvitationRecord {
  _id: Types.ObjectId;
  shopId: Types.ObjectId;
  email: string;
  role: Role;
  /** SHA-256 of the token in the email. */
  tokenHash: string;
  /** The principal that invited. */
  invitedBy: string;
  /** The person who invited, or who created the key that invited. */
  inviterId: Types.ObjectId;
  /** The key that invited; null: a person invited. */
  inviterKeyId: Types.ObjectId | null;
  createdAt: Date;
  expiresAt: Date;
}

export const invitationSchema = new Schema<InvitationRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    email: { type: String, required: true, immutable: true },
    role: { type: String, enum: ROLE_NAMES, required: true },
    tokenHash: { type: String, required: true },
    invitedBy: { type: String, required: true },
    inviterId: { type: Schema.Types.ObjectId, required: true },
    inviterKeyId: { type: Schema.Types.ObjectId, default: null },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  } satisfies SchemaFields<InvitationRecord>,
  { versionKey: false, collection: 'invitations' },
);

// The token that an invited person sends.
invitationSchema.index({ tokenHash: 1 }, { unique: true });
// Open invitations of a shop; one per shop and address: a new one replaces the old one.
invitationSchema.index({ shopId: 1, email: 1 }, { unique: true });
// Deletes expired invitations, so that the addresses are not kept. Every query checks `expiresAt` itself.
invitationSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
