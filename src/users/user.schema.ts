import { Schema, type Types } from 'mongoose';

export const USER_MODEL = 'User';

/** A person as stored. */
export interface UserRecord {
  _id: Types.ObjectId;
  /** Folded to lower case. */
  email: string;
  name: string;
  /** argon2id in PHC form. */
  passwordHash: string;
  /** null: at the registration. */
  passwordChangedAt: Date | null;
  /** When the person first showed to read the mails of the address; null: never, so it may be somebody else's. */
  emailProvenAt: Date | null;
  /** How often the person logged in. Each login writes it, and so meets a change of the password at the same time. */
  logins: number;
  createdAt: Date;
}

export const userSchema = new Schema<UserRecord>(
  {
    email: { type: String, required: true },
    name: { type: String, required: true },
    passwordHash: { type: String, required: true },
    passwordChangedAt: { type: Date, default: null },
    emailProvenAt: { type: Date, default: null },
    logins: { type: Number, default: 0 },
    createdAt: { type: Date, required: true },
  },
  { versionKey: false, collection: 'users' },
);

// Login, and one account per address.
userSchema.index({ email: 1 }, { unique: true });
