import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted, Types } from 'mongoose';
import { type Role } from '../common/auth/permissions.js';
import { orDuplicate } from '../database/database-errors.js';
import { type Transaction } from '../database/transactions.js';
import { MEMBER_MODEL, type MemberRecord } from './member.schema.js';
import { type Member } from './member.types.js';
import { ROSTER_MODEL, type RosterRecord } from './roster.schema.js';

const FIELDS = { shopId: 1, userId: 1, role: 1, joinedAt: 1, lastActiveAt: 1 } as const;

function toMember(record: Omit<MemberRecord, 'addedBy' | 'updatedBy' | 'updatedAt'>): Member {
  const { _id, shopId, userId, role, joinedAt, lastActiveAt } = record;
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
  constructor(
    @InjectModel(MEMBER_MODEL) private readonly members: Model<MemberRecord>,
    @InjectModel(ROSTER_MODEL) private readonly rosters: Model<RosterRecord>,
  ) {}

  /** @throws AppError already_member */
  async insert(
    shopId: string,
    member: { userId: string; role: Role; joinedAt: Date; addedBy: string },
    transaction?: Transaction,
  ): Promise<Member> {
    const record = new this.members({
      ...member,
      shopId: new Types.ObjectId(shopId),
      userId: new Types.ObjectId(member.userId),
    });
    return toMember(await orDuplicate(record.save(transaction ? { session: transaction } : {}), 'already_member'));
  }

  async find(shopId: string, userId: string, transaction?: Transaction): Promise<Member | null> {
    const record = await this.members
      .findOne({ shopId, userId }, FIELDS)
      .session(transaction ?? null)
      .lean();
    return record && toMember(record);
  }

  async findByIds(shopId: string, memberIds: readonly string[], transaction: Transaction): Promise<Member[]> {
    const wanted = trusted({ $in: memberIds.map((id) => new Types.ObjectId(id)) });
    const records = await this.members.find({ _id: wanted, shopId }, FIELDS).session(transaction).lean();
    return records.map(toMember);
  }

  /** Whether the shop has an owner beside this member. */
  async hasOtherOwner(shopId: string, memberId: string, transaction: Transaction): Promise<boolean> {
    const other = await this.members
      .findOne({ shopId, role: 'owner', _id: trusted({ $ne: new Types.ObjectId(memberId) }) }, { _id: 1 })
      .session(transaction)
      .lean();
    return other !== null;
  }

  /**
   * Lets no other transaction that does the same commit beside this one: it has to run again, and sees this one's work. The
   * first member of a shop makes the document, in the transaction that makes the shop: no two upserts ever race for it.
   */
  async claimRoster(shopId: string, transaction?: Transaction): Promise<void> {
    const options = { upsert: true, ...(transaction ? { session: transaction } : {}) };
    await this.rosters.updateOne({ _id: shopId }, { $inc: { revision: 1 } }, options);
  }

  async setRole(
    shopId: string,
    memberId: string,
    change: { role: Role; updatedBy: string; updatedAt: Date },
    transaction: Transaction,
  ): Promise<void> {
    await this.members.updateOne({ _id: memberId, shopId }, { $set: change }, { session: transaction }).orFail();
  }

  async remove(shopId: string, memberId: string, transaction: Transaction): Promise<void> {
    await this.members.deleteOne({ _id: memberId, shopId }, { session: transaction }).orFail();
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
