import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { Page, type PageRequest } from '../common/http/page.js';
import { orDuplicate } from '../database/database-errors.js';
import { olderThan } from '../database/paging.js';
import { forInsert, fromStored } from '../database/stored.js';
import { type Transaction } from '../database/transactions.js';
import { DISCOUNT_MODEL, type DiscountRecord } from './discount.schema.js';
import { type Discount, type DiscountTerms } from './discount.types.js';

@Injectable()
export class DiscountsRepository {
  constructor(@InjectModel(DISCOUNT_MODEL) private readonly discounts: Model<DiscountRecord>) {}

  /** @throws AppError discount_code_taken */
  async insert(shopId: string, values: Omit<Discount, 'id' | 'shopId'>, transaction: Transaction): Promise<Discount> {
    const write = this.discounts.insertOne(forInsert({ ...values, shopId }), { session: transaction });
    const record = await orDuplicate(write, 'discount_code_taken');
    return fromStored(record.toObject());
  }

  /** Counts the discounts of a shop, at most up to a number. */
  async countAll(shopId: string, upTo: number, transaction: Transaction): Promise<number> {
    return this.discounts.countDocuments({ shopId }, { limit: upTo, session: transaction });
  }

  async list(shopId: string, page: PageRequest): Promise<Page<Discount>> {
    const records = await this.discounts
      .find({ shopId, ...olderThan(page) })
      .sort({ _id: -1 })
      .limit(page.limit + 1)
      .lean();
    return Page.of(records.map(fromStored), page.limit);
  }

  async find(shopId: string, discountId: string, transaction: Transaction | null): Promise<Discount | null> {
    const record = await this.discounts.findOne({ _id: discountId, shopId }).session(transaction).lean();
    return record && fromStored(record);
  }

  /** @param code as `normaliseCode` returns it */
  async findByCode(shopId: string, code: string, transaction: Transaction | null): Promise<Discount | null> {
    const record = await this.discounts.findOne({ shopId, code }).session(transaction).lean();
    return record && fromStored(record);
  }

  /** @throws AppError discount_code_taken */
  async update(
    shopId: string,
    discountId: string,
    change: Partial<DiscountTerms>,
    transaction: Transaction,
  ): Promise<Discount | null> {
    const options = { session: transaction, returnDocument: 'after' } as const;
    const write = this.discounts.findOneAndUpdate({ _id: discountId, shopId }, { $set: change }, options).lean();
    const record = await orDuplicate(write.exec(), 'discount_code_taken');
    return record && fromStored(record);
  }

  /** Returns the deleted discount, or null when there is none. */
  async delete(shopId: string, discountId: string, transaction: Transaction): Promise<Discount | null> {
    const record = await this.discounts.findOneAndDelete({ _id: discountId, shopId }, { session: transaction }).lean();
    return record && fromStored(record);
  }

  /**
   * Counts one use, unless `maxUses` is reached. One conditional update: concurrent orders never exceed the limit.
   * Two transactions that count a use of the same code conflict, and one of them runs again. Therefore concurrent orders of
   * one buyer also see each other's uses.
   * @returns whether the use was counted
   */
  async takeUse(shopId: string, discountId: string, transaction: Transaction): Promise<boolean> {
    const usesLeft = { $or: [{ maxUses: null }, { $expr: trusted({ $lt: ['$used', '$maxUses'] }) }] };
    const { modifiedCount } = await this.discounts.updateOne(
      { _id: discountId, shopId, ...usesLeft },
      { $inc: { used: 1 } },
      { session: transaction },
    );
    return modifiedCount === 1;
  }

  /** Changes the count of uses without checking `maxUses`. Does nothing when the discount was deleted. */
  async addUses(shopId: string, discountId: string, change: number, transaction: Transaction): Promise<void> {
    await this.discounts.updateOne({ _id: discountId, shopId }, { $inc: { used: change } }, { session: transaction });
  }
}
