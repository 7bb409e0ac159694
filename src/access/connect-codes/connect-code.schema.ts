import { Schema } from 'mongoose';
import { type SchemaFields, type Stored } from '../../infrastructure/database/stored.js';
import { type Permission } from '../../domain/principal/permissions.js';

export const CONNECT_CODE_MODEL = 'ConnectCode';

/** A code that an agent exchanges for its key. */
export interface ConnectCode {
  readonly id: string;
  readonly shopId: string;
  readonly serverId: string;
  /** The person who made the code: the key is theirs. */
  readonly userId: string;
  /** SHA-256 of the code. */
  readonly codeHash: string;
  /** The id of the key that the code becomes. */
  readonly keyId: string;
  readonly permissions: readonly Permission[];
  /** SHA-256 of the `Idempotency-Key` of the request that used the code; null: nobody has. */
  readonly usedBy: string | null;
  readonly expiresAt: Date;
}

export type ConnectCodeRecord = Stored<ConnectCode, 'shopId' | 'serverId' | 'userId' | 'keyId'>;

export const connectCodeSchema = new Schema<ConnectCodeRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    serverId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    userId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    codeHash: { type: String, required: true, immutable: true },
    keyId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    permissions: { type: [String], required: true, immutable: true },
    usedBy: { type: String, default: null },
    expiresAt: { type: Date, required: true, immutable: true },
  } satisfies SchemaFields<ConnectCodeRecord>,
  { versionKey: false, collection: 'connect_codes' },
);

// The code that an agent sends.
connectCodeSchema.index({ codeHash: 1 }, { unique: true });
// Deletes expired codes. Every query checks `expiresAt` itself.
connectCodeSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
