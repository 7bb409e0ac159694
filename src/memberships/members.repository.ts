import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { type Role } from '../common/auth/permissions.js';
import { orDuplicate } from '../database/database-errors.js';
import { type Transaction } from '../database/transactions.js';
import { MEMBER_MODEL, type MemberRecord } from './member.schema.js';
import { type Member } from './member.types.js';

const FIELDS = { shopId: 1, userId: 1, role: 1, joinedAt: 1, lastActiveAt: 1 } as const;

function toMember({ _id, shopId, userId, role, joinedAt, lastActiveAt }: MemberRecord): Member {
  return {
    id: _id.toHexString(),
    shopId: shopId.toHexString(),
    userId: userId.toHexString(),
    role,
    joinedAt,
    lastActiveAt,
  };
}

@Injectable()
export class MembersRepository {
  constructor(@InjectModel(MEMBER_MODEL) private readonly members: Model<MemberRecord>) {}

  /** @throws AppError already_member */
  async insert(shopId: string, userId: string, role: Role, joinedAt: Date, transaction?: Transaction): Promise<void> {
    const member = { shopId: new Types.ObjectId(shopId), userId: new Types.ObjectId(userId), role, joinedAt };
    await orDuplicate(this.members.create([member], transaction ? { session: transaction } : {}), 'already_member');
  }

  async find(shopId: string, userId: string): Promise<Member | null> {
    const record = await this.members.findOne({ shopId, userId }, FIELDS).lean();
    return record && toMember(record);
  }

  /** The team in the order in which people joined. */
  async list(shopId: string): Promise<Member[]> {
    const records = await this.members.find({ shopId }, FIELDS).sort({ _id: 1 }).lean();
    return records.map(toMember);
  }

  async shopIdsOf(userId: string): Promise<string[]> {
    const records = await this.members.find({ userId }, { shopId: 1, _id: 0 }).lean();
    return records.map(({ shopId }) => shopId.toHexString());
  }

  /** Moves `lastActiveAt` forward, never back. */
  async touch(shopId: string, userId: string, now: Date): Promise<void> {
    await this.members.updateOne({ shopId, userId }, { $max: { lastActiveAt: now } });
  }
}
