import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type QueryFilter, trusted } from 'mongoose';
import { present } from '../../domain/errors/change.js';
import { Page, type PageRequest } from '../../lib/paging/page.js';
import { codeOf } from '../../lib/strings/code.js';
import { searchWordsOf } from '../../lib/strings/search-words.js';
import { beginningWith, withWords } from '../../infrastructure/database/beginnings.js';
import { countedById } from '../../infrastructure/database/count-listed.js';
import { orDuplicate } from '../../infrastructure/database/database-errors.js';
import { ShardedCounters } from '../../infrastructure/database/sharded-counters.js';
import { shardOf } from '../../infrastructure/database/shards.js';
import { forInsert, fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { DISCOUNT_MODEL, type DiscountRecord } from './discount.schema.js';
import { type Discount, type DiscountFilter, type DiscountValues, type UncountedDiscount } from './discount.types.js';

/** The uses that a code without a limit has left at first. More than a shop can ever sell, and still an exact number. */
const UNLIMITED = 2 ** 40;

/** The words of the name. The code has an index of its own. */
const wordsOf = ({ name }: Pick<DiscountValues, 'name'>) => ({ searchWords: searchWordsOf(name) });

const limitOf = ({ maxUses }: Pick<DiscountValues, 'maxUses'>): number => maxUses ?? UNLIMITED;

function conditionOf({ q, type, isActive, productId, serverId }: DiscountFilter): QueryFilter<DiscountRecord> {
  const found =
    q === undefined ? {} : { $or: [{ code: beginningWith(codeOf(q)) }, { $and: withWords<DiscountRecord>(q) }] };
  return { ...present({ type, isActive, productIds: productId, serverIds: serverId }), ...found };
}

@Injectable()
export class DiscountsRepository {
  constructor(
    @InjectModel(DISCOUNT_MODEL) private readonly discounts: Model<DiscountRecord>,
    private readonly counters: ShardedCounters,
  ) {}

  /** @throws AppError discount_code_taken */
  async insert(
    shopId: string,
    values: Omit<UncountedDiscount, 'id' | 'shopId'>,
    transaction: Transaction,
  ): Promise<Discount> {
    const write = this.discounts.insertOne(forInsert({ ...values, ...wordsOf(values), shopId }), {
      session: transaction,
    });
    const { searchWords: _words, ...stored } = (await orDuplicate(write, 'discount_code_taken')).toObject();
    const record = toDiscount(stored);
    await this.counters.create(shopId, record.id, limitOf(values), transaction);
    return { ...record, used: 0 };
  }

  /** Counts the discounts of a shop, at most up to a number. */
  async countAll(shopId: string, upTo: number, transaction: Transaction): Promise<number> {
    return this.discounts.countDocuments({ shopId }, { limit: upTo, session: transaction });
  }

  /** The discounts that a filter finds, newest first, and how many there are (`countedById`). */
  async list(shopId: string, filter: DiscountFilter, page: PageRequest): Promise<Page<Discount>> {
    const wanted = { shopId, ...conditionOf(filter) };
    const [records, total] = await countedById<DiscountRecord>(this.discounts, wanted, page);
    return Page.of(await this.counted(shopId, records, null), page.limit).counted(total);
  }

  async find(shopId: string, discountId: string, transaction: Transaction | null): Promise<Discount | null> {
    const record = await this.discounts.findOne({ _id: discountId, shopId }).session(transaction).lean();
    return this.orNull(shopId, record, transaction);
  }

  /** @param code as `codeOf` returns it */
  async findByCode(shopId: string, code: string, transaction: Transaction | null): Promise<UncountedDiscount | null> {
    const record = await this.discounts.findOne({ shopId, code }).session(transaction).lean();
    return record && toDiscount(record);
  }

  /** How often a discount was used. */
  async usesOf(discount: UncountedDiscount): Promise<number> {
    const { id, shopId } = discount;
    const left = await this.counters.left(shopId, [id], null);
    return limitOf(discount) - (left.get(id) ?? 0);
  }

  /** @throws AppError discount_code_taken */
  async update(
    shopId: string,
    discountId: string,
    change: Partial<DiscountValues>,
    transaction: Transaction,
  ): Promise<Discount | null> {
    const options = { session: transaction, returnDocument: 'before' } as const;
    const { name } = change;
    const values = { ...change, ...(name === undefined ? {} : wordsOf({ name })) };
    const write = this.discounts
      .findOneAndUpdate({ _id: discountId, shopId }, { $set: values, $unset: { exhaustedAt: 1 } }, options)
      .lean();
    const before = await orDuplicate(write.exec(), 'discount_code_taken');
    if (before === null) return null;
    const more = limitOf({ ...before, ...change }) - limitOf(before);
    if (more !== 0) await this.counters.change(shopId, discountId, more, transaction);
    return this.find(shopId, discountId, transaction);
  }

  /** Returns the deleted discount, or null when it does not exist. */
  async delete(shopId: string, discountId: string, transaction: Transaction): Promise<Discount | null> {
    const record = await this.discounts.findOneAndDelete({ _id: discountId, shopId }, { session: transaction }).lean();
    const deleted = await this.orNull(shopId, record, transaction);
    await this.counters.remove(shopId, discountId, transaction);
    return deleted;
  }

  /**
   * Counts one use, unless `maxUses` is reached. Concurrent orders never exceed the limit.
   * @returns whether the use was counted
   */
  takeUse(shopId: string, discountId: string, orderId: string, transaction: Transaction): Promise<boolean> {
    return this.counters.take(shopId, discountId, 1, shardOf(orderId), transaction);
  }

  /** Counts one use without checking `maxUses`. Does nothing when the discount was deleted. */
  takeUseAnyway(shopId: string, discountId: string, transaction: Transaction): Promise<void> {
    return this.counters.takeAnyway(shopId, discountId, 1, transaction);
  }

  /** Gives back uses. Does nothing when the discount was deleted. */
  async releaseUses(shopId: string, discountId: string, count: number, transaction: Transaction): Promise<void> {
    await this.counters.release(shopId, discountId, count, transaction);
    const exhausted = { _id: discountId, shopId, exhaustedAt: trusted({ $exists: true }) };
    await this.discounts.updateOne(exhausted, { $unset: { exhaustedAt: 1 } }, { session: transaction });
  }

  /**
   * Records that subscribers are notified that a code has no use left. Returns the discount; null when it has a use left, or when
   * they were notified already.
   */
  async markExhausted(
    shopId: string,
    discountId: string,
    exhaustedAt: Date,
    transaction: Transaction,
  ): Promise<Discount | null> {
    const discount = await this.find(shopId, discountId, transaction);
    if (discount?.maxUses == null || discount.used < discount.maxUses) return null;
    const { modifiedCount } = await this.discounts.updateOne(
      { _id: discountId, shopId, exhaustedAt: trusted({ $exists: false }) },
      { $set: { exhaustedAt } },
      { session: transaction },
    );
    return modifiedCount === 1 ? discount : null;
  }

  private async orNull(
    shopId: string,
    record: DiscountRecord | null,
    transaction: Transaction | null,
  ): Promise<Discount | null> {
    const [discount] = await this.counted(shopId, record === null ? [] : [record], transaction);
    return discount ?? null;
  }

  /** Adds how often each was used. */
  private async counted(
    shopId: string,
    records: readonly DiscountRecord[],
    transaction: Transaction | null,
  ): Promise<Discount[]> {
    const discounts = records.map(toDiscount);
    const ids = discounts.map(({ id }) => id);
    const left = await this.counters.left(shopId, ids, transaction);
    return discounts.map((discount) => ({ ...discount, used: limitOf(discount) - (left.get(discount.id) ?? 0) }));
  }
}

type Added = 'name' | 'excludesReduced';

/** A discount that was stored before it had a name and `excludesReduced` has none, and is for reduced products too. */
function toDiscount(
  record: Omit<DiscountRecord, Added | 'searchWords'> & Partial<Pick<DiscountRecord, Added>>,
): UncountedDiscount {
  return fromStored({ ...record, name: record.name ?? null, excludesReduced: record.excludesReduced ?? false });
}
