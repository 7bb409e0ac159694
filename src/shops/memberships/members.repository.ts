import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { orDuplicate } from '../../infrastructure/database/database-errors.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { MEMBER_MODEL, type MemberRecord } from './member.schema.js';
import { type Member, type MemberChange, type NewMember } from './member.types.js';
import { ROSTER_MODEL, type RosterRecord } from './roster.schema.js';

@Injectable()
export class MembersRepository {
  constructor(
    @InjectModel(MEMBER_MODEL) private readonly members: Model<MemberRecord>,
    @InjectModel(ROSTER_MODEL) private readonly rosters: Model<RosterRecord>,
  ) {}

  /** @throws AppError already_member */
  async insert(shopId: string, member: NewMember, transaction: Transaction): Promise<Member> {
    const write = this.members.insertOne({ ...member, shopId }, { session: transaction });
    return fromStored((await orDuplicate(write, 'already_member')).toObject());
  }

  async find(shopId: string, userId: string, transaction: Transaction | null): Promise<Member | null> {
    const record = await this.members.findOne({ shopId, userId }).session(transaction).lean();
    return record && fromStored(record);
  }

  async findByIds(shopId: string, memberIds: readonly string[], transaction: Transaction): Promise<Member[]> {
    const records = await this.members
      .find({ _id: oneOf(memberIds), shopId })
      .session(transaction)
      .lean();
    return records.map(fromStored);
  }

  /** Whether the shop has another owner than this member. */
  async hasOtherOwner(shopId: string, memberId: string, transaction: Transaction): Promise<boolean> {
    const other = { shopId, role: 'owner' as const, _id: trusted({ $ne: memberId }) };
    return (await this.members.exists(other).session(transaction)) !== null;
  }

  /**
   * Makes all changes of one team run one after the other: a second transaction that claims the roster conflicts with this
   * one, runs again, and then sees its changes. The transaction that creates a shop inserts the document, together with the
   * first member, so two upserts never happen at the same time.
   */
  async claimRoster(shopId: string, transaction: Transaction): Promise<void> {
    const options = { upsert: true, session: transaction };
    await this.rosters.updateOne({ _id: shopId }, { $inc: { revision: 1 } }, options);
  }

  /** @returns the new record; null when the shop has no such member */
  async update(
    shopId: string,
    memberId: string,
    change: MemberChange,
    transaction: Transaction,
  ): Promise<Member | null> {
    const record = await this.members
      .findOneAndUpdate({ _id: memberId, shopId }, { $set: change }, { returnDocument: 'after', session: transaction })
      .lean();
    return record && fromStored(record);
  }

  /** @returns the record that was removed; null when the shop has no such member */
  async remove(shopId: string, memberId: string, transaction: Transaction): Promise<Member | null> {
    const record = await this.members.findOneAndDelete({ _id: memberId, shopId }, { session: transaction }).lean();
    return record && fromStored(record);
  }

  /** The team in the order in which people joined. */
  async list(shopId: string, transaction: Transaction | null): Promise<Member[]> {
    const records = await this.members.find({ shopId }).sort({ _id: 1 }).session(transaction).lean();
    return records.map(fromStored);
  }

  /** The memberships of a person. */
  async listOf(userId: string, transaction: Transaction | null): Promise<Member[]> {
    const records = await this.members.find({ userId }).session(transaction).lean();
    return records.map(fromStored);
  }

  /** Counts the members of a shop. */
  async countAll(shopId: string, upTo: number, transaction: Transaction): Promise<number> {
    return this.members.countDocuments({ shopId }, { limit: upTo, session: transaction });
  }

  /** Counts the shops that a person owns, at most up to a number. */
  async countOwned(userId: string, upTo: number, transaction: Transaction): Promise<number> {
    return this.members.countDocuments({ userId, role: 'owner' }, { limit: upTo, session: transaction });
  }

  async shopIdsOf(userId: string): Promise<string[]> {
    const records = await this.members.find({ userId }, { shopId: 1 }).lean();
    return records.map(({ shopId }) => shopId.toHexString());
  }

  /** Stores the time of an activity, unless one after `before` is stored. Of several requests at once, only one writes. */
  async touch(shopId: string, userId: string, now: Date, before: Date, transaction: Transaction): Promise<void> {
    const due = { $or: [{ lastActiveAt: null }, { lastActiveAt: trusted({ $lte: before }) }] };
    const change = { $set: { lastActiveAt: now } };
    await this.members.updateOne({ shopId, userId, ...due }, change, { session: transaction });
  }
}
