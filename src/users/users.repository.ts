import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { orDuplicate } from '../database/database-errors.js';
import { oneOf } from '../database/one-of.js';
import { type Transaction } from '../database/transactions.js';
import { USER_MODEL, type UserRecord } from './user.schema.js';
import { type NewUser, type ProvenPerson, type User } from './user.types.js';

const PUBLIC_FIELDS = { email: 1, name: 1, createdAt: 1 } as const;

type PublicRecord = Pick<UserRecord, '_id' | 'email' | 'name' | 'createdAt'>;

function toUser({ _id, email, name, createdAt }: PublicRecord): User {
  return { id: _id.toHexString(), email, name, createdAt };
}

/** A person with the hash of the password. */
interface PersonWithPassword extends ProvenPerson {
  readonly passwordHash: string;
}

@Injectable()
export class UsersRepository {
  constructor(@InjectModel(USER_MODEL) private readonly users: Model<UserRecord>) {}

  /** @throws AppError email_taken */
  async insert(user: NewUser, transaction: Transaction): Promise<User> {
    return toUser(await orDuplicate(this.users.insertOne(user, { session: transaction }), 'email_taken'));
  }

  /** A person by address or by id, with the hash of the password. */
  async findWithPassword(by: { email: string } | { _id: string }): Promise<PersonWithPassword | null> {
    const record = await this.users
      .findOne(by, { ...PUBLIC_FIELDS, passwordHash: 1, passwordChangedAt: 1 })
      .lean<PublicRecord & { passwordHash: string; passwordChangedAt?: Date | null }>();
    if (record === null) return null;
    const { passwordHash, passwordChangedAt = null } = record;
    return { user: toUser(record), passwordHash, passwordChangedAt };
  }

  /**
   * Counts a login, unless the password was changed after it was checked. A login and a password change write the same
   * record, so one waits for the other: no session that was opened with the old password outlives the change.
   * @returns whether it was counted
   */
  async countLogin(person: ProvenPerson, transaction: Transaction): Promise<boolean> {
    const { modifiedCount } = await this.users.updateOne(
      { _id: person.user.id, passwordChangedAt: person.passwordChangedAt },
      { $inc: { logins: 1 } },
      { session: transaction },
    );
    return modifiedCount === 1;
  }

  /**
   * Sets a password.
   * @param proven only if the password was not changed after this person gave it; null: in any case
   * @returns whether it was set
   */
  async setPassword(
    userId: string,
    change: { passwordHash: string; passwordChangedAt: Date },
    proven: ProvenPerson | null,
    transaction: Transaction,
  ): Promise<boolean> {
    const { modifiedCount } = await this.users.updateOne(
      { _id: userId, ...(proven === null ? {} : { passwordChangedAt: proven.passwordChangedAt }) },
      { $set: change },
      { session: transaction },
    );
    return modifiedCount === 1;
  }

  /** Stores that the address is the person's. Returns true the first time, and to exactly one of several requests at once. */
  async proveEmail(userId: string, now: Date, transaction: Transaction): Promise<boolean> {
    const { modifiedCount } = await this.users.updateOne(
      { _id: userId, emailProvenAt: null },
      { $set: { emailProvenAt: now } },
      { session: transaction },
    );
    return modifiedCount === 1;
  }

  async findByEmail(email: string): Promise<User | null> {
    const record = await this.users.findOne({ email }, PUBLIC_FIELDS).lean();
    return record && toUser(record);
  }

  async findById(id: string): Promise<User | null> {
    const record = await this.users.findOne({ _id: id }, PUBLIC_FIELDS).lean();
    return record && toUser(record);
  }

  async isEmpty(): Promise<boolean> {
    return (await this.users.findOne({}, { _id: 1 }).lean()) === null;
  }

  async findByIds(ids: readonly string[]): Promise<User[]> {
    const records = await this.users.find({ _id: oneOf(ids) }, PUBLIC_FIELDS).lean();
    return records.map(toUser);
  }
}
