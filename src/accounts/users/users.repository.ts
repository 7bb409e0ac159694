import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { afterId } from '../../infrastructure/database/after-id.js';
import { orDuplicate } from '../../infrastructure/database/database-errors.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { forInsert } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { USER_MODEL, type UserRecord } from './user.schema.js';
import { type KnownDevice, type LoginHistory, type NewUser, type ProvenPerson, type User } from './user.types.js';

const PUBLIC_FIELDS = { email: 1, emailProvenAt: 1, name: 1, language: 1, createdAt: 1 } as const;

/** Leaves out the password and what only logins need. */
function toUser(record: Pick<UserRecord, '_id' | keyof typeof PUBLIC_FIELDS>): User {
  const { _id, email, emailProvenAt, name, language, createdAt } = record;
  return { id: _id.toHexString(), email, isEmailProven: emailProvenAt instanceof Date, name, language, createdAt };
}

/** How many devices an account remembers. */
const MAX_KNOWN_DEVICES = 20;

/** A person with the hash of the password. */
interface PersonWithPassword extends ProvenPerson, LoginHistory {
  /** null: no password is set yet. */
  readonly passwordHash: string | null;
}

@Injectable()
export class UsersRepository {
  constructor(@InjectModel(USER_MODEL) private readonly users: Model<UserRecord>) {}

  /** @throws AppError email_taken */
  async insert(user: NewUser, transaction: Transaction): Promise<User> {
    const write = this.users.insertOne(forInsert(user), { session: transaction });
    return toUser(await orDuplicate(write, 'email_taken'));
  }

  /** A person by address or by id, with the hash of the password. */
  async findWithPassword(by: { email: string } | { _id: string }): Promise<PersonWithPassword | null> {
    const record = await this.users.findOne(by).lean();
    if (record === null) return null;
    const { passwordHash, passwordChangedAt, logins, knownDevices } = record;
    return { user: toUser(record), passwordHash, passwordChangedAt, logins, knownDevices };
  }

  /**
   * Counts a login and remembers its device, unless the password was changed after it was checked. A login and a password
   * change write the same record, so one waits for the other: no session that was opened with the old password outlives the
   * change.
   * @returns whether the device was known; null when the password was changed
   */
  async countLogin(
    person: ProvenPerson,
    device: KnownDevice,
    transaction: Transaction,
  ): Promise<'known_device' | 'new_device' | null> {
    const unchanged = { _id: person.user.id, passwordChangedAt: person.passwordChangedAt };
    const counted = { $inc: { logins: 1 } };
    const known = { ...unchanged, 'knownDevices.device': device.device };
    const { matchedCount } = await this.users.updateOne(known, counted, { session: transaction });
    if (matchedCount === 1) return 'known_device';
    const remembered = { $push: { knownDevices: { $each: [device], $slice: -MAX_KNOWN_DEVICES } } };
    const added = await this.users.updateOne(unchanged, { ...counted, ...remembered }, { session: transaction });
    return added.matchedCount === 1 ? 'new_device' : null;
  }

  /**
   * Sets a password.
   * @param proven only if the password was not changed after this person gave it; null: in any case
   * @returns whether it was set
   */
  async setPassword(
    userId: string,
    change: { passwordHash: string; passwordChangedAt: Date; knownDevices?: readonly KnownDevice[] },
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

  async hasPassword(userId: string, transaction: Transaction | null): Promise<boolean> {
    const withPassword = { _id: userId, passwordHash: trusted({ $ne: null }) };
    return (await this.users.exists(withPassword).session(transaction)) !== null;
  }

  /** Returns null when there is no such person. */
  async rename(userId: string, name: string, transaction: Transaction): Promise<User | null> {
    const options = { projection: PUBLIC_FIELDS, returnDocument: 'after', session: transaction } as const;
    const record = await this.users.findOneAndUpdate({ _id: userId }, { $set: { name } }, options).lean();
    return record && toUser(record);
  }

  /**
   * Sets an address that the person has proved, unless the password was changed after it was given.
   * @param proof when the password was set that the person gave
   * @returns whether it was set
   * @throws AppError email_taken
   */
  async setEmail(
    userId: string,
    email: string,
    proof: Pick<ProvenPerson, 'passwordChangedAt'>,
    transaction: Transaction,
  ): Promise<boolean> {
    const unchanged = { _id: userId, passwordChangedAt: proof.passwordChangedAt };
    const change = { $set: { email, emailProvenAt: new Date() } };
    const write = this.users.updateOne(unchanged, change, { session: transaction }).exec();
    return (await orDuplicate(write, 'email_taken')).matchedCount === 1;
  }

  /** Deletes a person, unless the password was changed after the person gave it. @returns whether it was deleted */
  async remove({ user, passwordChangedAt }: ProvenPerson, transaction: Transaction): Promise<boolean> {
    const { deletedCount } = await this.users.deleteOne({ _id: user.id, passwordChangedAt }, { session: transaction });
    return deletedCount === 1;
  }

  /** Stores that the address is the person's, since the first time. */
  async proveEmail(userId: string, now: Date, transaction: Transaction): Promise<void> {
    await this.users.updateOne(
      { _id: userId, emailProvenAt: null },
      { $set: { emailProvenAt: now } },
      { session: transaction },
    );
  }

  async findByEmail(email: string, transaction: Transaction | null): Promise<User | null> {
    const record = await this.users.findOne({ email }, PUBLIC_FIELDS).session(transaction).lean();
    return record && toUser(record);
  }

  async findById(id: string, transaction: Transaction | null): Promise<User | null> {
    const record = await this.users.findOne({ _id: id }, PUBLIC_FIELDS).session(transaction).lean();
    return record && toUser(record);
  }

  /** All people in the order of their ids. @param id null: from the first one */
  async listAfter(id: string | null, limit: number): Promise<User[]> {
    const records = await this.users.find(afterId(id), PUBLIC_FIELDS).sort({ _id: 1 }).limit(limit).lean();
    return records.map(toUser);
  }

  async isEmpty(): Promise<boolean> {
    return (await this.users.exists({})) === null;
  }

  async findByIds(ids: readonly string[], transaction: Transaction | null): Promise<User[]> {
    const records = await this.users
      .find({ _id: oneOf(ids) }, PUBLIC_FIELDS)
      .session(transaction)
      .lean();
    return records.map(toUser);
  }
}
