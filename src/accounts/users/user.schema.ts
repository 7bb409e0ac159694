import { Schema, type Types } from 'mongoose';
import { type SchemaFields } from '../../infrastructure/database/stored.js';
import { type Language, LANGUAGES } from '../../lib/formats/languages.js';
import { type KnownDevice } from './user.types.js';

export const USER_MODEL = 'User';

/** A person as stored. */
export interface UserRecord {
  _id: Types.ObjectId;
  /** In lower case. */
  email: string;
  name: string;
  language: Language;
  /** argon2id in PHC form; null: the person has not set one yet, so no password is right. */
  passwordHash: string | null;
  /** null: not since the registration. */
  passwordChangedAt: Date | null;
  /** When the person first used a token or a code from an email to this address; null: never, so it may be another person's. */
  emailProvenAt: Date | null;
  /** How often the person logged in. Each login writes it, so that a login and a password change cannot run in parallel. */
  logins: number;
  /** The devices of the latest logins from new devices. */
  knownDevices: readonly KnownDevice[];
  createdAt: Date;
}

export const userSchema = new Schema<UserRecord>(
  {
    email: { type: String, required: true },
    name: { type: String, required: true },
    language: { type: String, enum: LANGUAGES, required: true },
    passwordHash: { type: String, default: null },
    passwordChangedAt: { type: Date, default: null },
    emailProvenAt: { type: Date, default: null },
    logins: { type: Number, default: 0 },
    knownDevices: {
      type: [
        new Schema<KnownDevice>(
          {
            network: { type: String, required: true },
            device: { type: String, required: true },
          } satisfies SchemaFields<KnownDevice>,
          { _id: false },
        ),
      ],
      required: true,
    },
    createdAt: { type: Date, required: true },
  } satisfies SchemaFields<UserRecord>,
  { versionKey: false, collection: 'users' },
);

// Login, and one account per address.
userSchema.index({ email: 1 }, { unique: true });
