import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { Page, type PageRequest } from '../../lib/paging/page.js';
import { countedById } from '../../infrastructure/database/count-listed.js';
import { orDuplicate } from '../../infrastructure/database/database-errors.js';
import { forInsert, fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { TIER_GROUP_MODEL, type TierGroupRecord } from './tier-group.schema.js';
import { type SoldTierGroup, type TierGroup, type TierGroupValues } from './tier-group.types.js';

@Injectable()
export class TierGroupsRepository {
  constructor(@InjectModel(TIER_GROUP_MODEL) private readonly groups: Model<TierGroupRecord>) {}

  /** @throws AppError product_in_group */
  async insert(shopId: string, values: Omit<TierGroup, 'id' | 'shopId'>, transaction: Transaction): Promise<TierGroup> {
    const write = this.groups.insertOne(forInsert({ ...values, shopId }), { session: transaction });
    return fromStored((await orDuplicate(write, 'product_in_group')).toObject());
  }

  async find(shopId: string, groupId: string, transaction: Transaction): Promise<TierGroup | null> {
    const record = await this.groups.findOne({ _id: groupId, shopId }).session(transaction).lean();
    return record && fromStored(record);
  }

  /** The group in which a product is. */
  async findOf(shopId: string, productId: string, transaction: Transaction): Promise<TierGroup | null> {
    const record = await this.groups.findOne({ shopId, productIds: productId }).session(transaction).lean();
    return record && fromStored(record);
  }

  /** Counts the groups of a shop, at most up to a number. */
  async count(shopId: string, upTo: number, transaction: Transaction): Promise<number> {
    return this.groups.countDocuments({ shopId }, { limit: upTo, session: transaction });
  }

  /** The groups of a shop, newest first, and how many there are (`countedById`). */
  async list(shopId: string, page: PageRequest): Promise<Page<TierGroup>> {
    const [records, total] = await countedById<TierGroupRecord>(this.groups, { shopId }, page);
    return Page.of(records.map(fromStored), page.limit).counted(total);
  }

  /** All groups of a shop, as a snapshot has them. */
  async listSold(shopId: string, transaction: Transaction): Promise<SoldTierGroup[]> {
    const records = await this.groups.find({ shopId }, { name: 1, productIds: 1 }).session(transaction).lean();
    return records.map(fromStored);
  }

  /** Returns the changed group, or null when it does not exist. @throws AppError product_in_group */
  async update(
    shopId: string,
    groupId: string,
    values: TierGroupValues,
    transaction: Transaction,
  ): Promise<TierGroup | null> {
    const options = { session: transaction, returnDocument: 'after' } as const;
    const write = this.groups.findOneAndUpdate({ _id: groupId, shopId }, { $set: values }, options).lean();
    const record = await orDuplicate(write.exec(), 'product_in_group');
    return record && fromStored(record);
  }

  async delete(shopId: string, groupId: string, transaction: Transaction): Promise<void> {
    await this.groups.deleteOne({ _id: groupId, shopId }, { session: transaction });
  }
}
