import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted, Types } from 'mongoose';
import { orDuplicate } from '../database/database-errors.js';
import { type Transaction } from '../database/transactions.js';
import {
  DISCOUNT_MODEL,
  type DiscountRecord,
  REDEMPTION_MODEL,
  type RedemptionRecord,
  type RedemptionState,
} from './discount.schema.js';
import { type Discount } from './discount.types.js';

const FIELDS = {
  shopId: 1,
  code: 1,
  type: 1,
  value: 1,
  currency: 1,
  maxDiscountMinor: 1,
  minOrderMinor: 1,
  productIds: 1,
  serverIds: 1,
  maxUses: 1,
  maxUsesPerBuyer: 1,
  firstPurchaseOnly: 1,
  startsAt: 1,
  endsAt: 1,
  isActive: 1,
  used: 1,
  createdAt: 1,
} as const;

const toIds = (ids: readonly string[] | null): Types.ObjectId[] | null =>
  ids && ids.map((id) => new Types.ObjectId(id));
const fromIds = (ids: readonly Types.ObjectId[] | null): string[] | null => ids && ids.map((id) => id.toHexString());

function toDiscount(record: Omit<DiscountRecord, 'createdBy'>): Discount {
  return {
    id: record._id.toHexString(),
    shopId: record.shopId.toHexString(),
    code: record.code,
    type: record.type,
    value: record.value,
    currency: record.currency,
    maxDiscountMinor: record.maxDiscountMinor,
    minOrderMinor: record.minOrderMinor,
    productIds: fromIds(record.productIds),
    serverIds: fromIds(record.serverIds),
    maxUses: record.maxUses,
    maxUsesPerBuyer: record.maxUsesPerBuyer,
    firstPurchaseOnly: record.firstPurchaseOnly,
    startsAt: record.startsAt,
    endsAt: record.endsAt,
    isActive: record.isActive,
    used: record.used,
    createdAt: record.createdAt,
  };
}

/** One use to record. */
export interface NewRedemption {
  readonly discountId: string;
  readonly orderId: string;
  readonly buyerKey: string;
  readonly at: Date;
}

@Injectable()
export class DiscountsRepository {
  constructor(
    @InjectModel(DISCOUNT_MODEL) private readonly discounts: Model<DiscountRecord>,
    @InjectModel(REDEMPTION_MODEL) private readonly redemptions: Model<RedemptionRecord>,
  ) {}

  /** @throws AppError discount_code_taken */
  async insert(
    shopId: string,
    discount: Omit<Discount, 'id' | 'shopId' | 'used'> & { createdBy: string },
    transaction: Transaction,
  ): Promise<Discount> {
    const { productIds, serverIds, ...rest } = discount;
    const record = new this.discounts({
      ...rest,
      used: 0,
      shopId: new Types.ObjectId(shopId),
      productIds: toIds(productIds),
      serverIds: toIds(serverIds),
    });
    return toDiscount(await orDuplicate(record.save({ session: transaction }), 'discount_code_taken'));
  }

  async list(shopId: string, after: string | null, limit: number): Promise<Discount[]> {
    const records = await this.discounts
      .find({ shopId, ...(after === null ? {} : { _id: trusted({ $lt: new Types.ObjectId(after) }) }) }, FIELDS)
      .sort({ _id: -1 })
      .limit(limit)
      .lean();
    return records.map(toDiscount);
  }

  /** @param code normalised */
  async findByCode(shopId: string, code: string, transaction?: Transaction): Promise<Discount | null> {
    const record = await this.discounts
      .findOne({ shopId, code }, FIELDS, transaction ? { session: transaction } : {})
      .lean();
    return record && toDiscount(record);
  }

  /**
   * Takes one use, unless the limit is reached: one conditional update, so whatever runs at once, no use is taken twice.
   * Every reservation of a code writes its document, so those of one buyer cannot pass each other unseen either.
   */
  async takeUse(shopId: string, discountId: string, transaction: Transaction): Promise<boolean> {
    const { modifiedCount } = await this.discounts.updateOne(
      {
        _id: discountId,
        shopId,
        $or: [{ maxUses: null }, { $expr: trusted({ $lt: ['$used', '$maxUses'] }) }],
      },
      { $inc: { used: 1 } },
      { session: transaction },
    );
    return modifiedCount === 1;
  }

  /** Corrects the count of uses without a limit: a use is given back, or was paid for after all. */
  async addUses(shopId: string, discountId: string, change: 1 | -1, transaction: Transaction): Promise<void> {
    await this.discounts.updateOne({ _id: discountId, shopId }, { $inc: { used: change } }, { session: transaction });
  }

  async insertRedemption(shopId: string, redemption: NewRedemption, transaction: Transaction): Promise<void> {
    const { discountId, orderId, buyerKey, at } = redemption;
    await this.redemptions.create(
      [
        {
          shopId: new Types.ObjectId(shopId),
          discountId: new Types.ObjectId(discountId),
          orderId: new Types.ObjectId(orderId),
          buyerKey,
          state: 'reserved',
          at,
        },
      ],
      { session: transaction },
    );
  }

  async countUses(shopId: string, discountId: string, buyerKey: string, transaction: Transaction): Promise<number> {
    return this.redemptions.countDocuments(
      { shopId, discountId, buyerKey, state: trusted({ $ne: 'released' }) },
      { session: transaction },
    );
  }

  /** Moves an order's use from one state to another; null when it is not in that state. */
  async moveRedemption(
    shopId: string,
    orderId: string,
    from: RedemptionState,
    to: RedemptionState,
    transaction: Transaction,
  ): Promise<{ discountId: string } | null> {
    const record = await this.redemptions
      .findOneAndUpdate(
        { orderId, shopId, state: from },
        { $set: { state: to } },
        { session: transaction, projection: { discountId: 1 } },
      )
      .lean();
    return record && { discountId: record.discountId.toHexString() };
  }
}
