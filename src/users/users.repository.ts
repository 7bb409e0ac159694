import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types, trusted } from 'mongoose';
import { orDuplicate } from '../database/database-errors.js';
import { USER_MODEL, type UserRecord } from './user.schema.js';
import { type User } from './user.types.js';

const PUBLIC_FIELDS = { email: 1, name: 1, createdAt: 1 } as const;

function toUser({ _id, email, name, createdAt }: Omit<UserRecord, 'passwordHash'>): User {
  return { id: _id.toHexString(), email, name, createdAt };
}

@Injectable()
export class UsersRepository {
  constructor(@InjectModel(USER_MODEL) private readonly users: Model<UserRecord>) {}

  /** @throws AppError email_taken */
  async insert(user: { email: string; name: string; passwordHash: string; createdAt: Date }): Promise<User> {
    const created = await orDuplicate(this.users.create(user), 'email_taken');
    return toUser(created);
  }

  async findWithPassword(email: string): Promise<{ user: User; passwordHash: string } | null> {
    const record = await this.users.findOne({ email }, { ...PUBLIC_FIELDS, passwordHash: 1 }).lean();
    return record && { user: toUser(record), passwordHash: record.passwordHash };
  }

  async findById(id: string): Promise<User | null> {
    const record = await this.users.findById(id, PUBLIC_FIELDS).lean();
    return record && toUser(record);
  }

  async isEmpty(): Promise<boolean> {
    return (await this.users.findOne({}, { _id: 1 }).lean()) === null;
  }

  async findByIds(ids: readonly string[]): Promise<User[]> {
    const records = await this.users
      .find({ _id: trusted({ $in: ids.map((id) => new Types.ObjectId(id)) }) }, PUBLIC_FIELDS)
      .lean();
    return records.map(toUser);
  }
}
