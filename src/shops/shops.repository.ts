import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted, Types } from 'mongoose';
import { orDuplicate } from '../database/database-errors.js';
import { type Transaction } from '../database/transactions.js';
import { SHOP_MODEL, type ShopRecord } from './shop.schema.js';
import { type Shop } from './shop.types.js';

const FIELDS = {
  uniqueName: 1,
  displayName: 1,
  currency: 1,
  timezone: 1,
  nicknameRule: 1,
  isActive: 1,
  domain: 1,
  verifiedHostname: 1,
  createdAt: 1,
} as const;

function toShop(record: Omit<ShopRecord, 'createdBy'>): Shop {
  const { _id, uniqueName, displayName, currency, timezone, nicknameRule, isActive, domain, createdAt } = record;
  return {
    id: _id.toHexString(),
    uniqueName,
    displayName,
    currency,
    timezone,
    nicknameRule: { preset: nicknameRule.preset, pattern: nicknameRule.pattern },
    isActive,
    domain: domain && {
      hostname: domain.hostname,
      token: domain.token,
      status: record.verifiedHostname === domain.hostname ? 'verified' : 'pending',
    },
    verifiedHostname: record.verifiedHostname ?? null,
    createdAt,
  };
}

@Injectable()
export class ShopsRepository {
  constructor(@InjectModel(SHOP_MODEL) private readonly shops: Model<ShopRecord>) {}

  /** @throws AppError shop_name_taken */
  async insert(shop: Omit<ShopRecord, '_id'>, transaction: Transaction): Promise<Shop> {
    return toShop(await orDuplicate(new this.shops(shop).save({ session: transaction }), 'shop_name_taken'));
  }

  async find(shopId: string): Promise<Shop | null> {
    const record = await this.shops.findById(shopId, FIELDS).lean();
    return record && toShop(record);
  }

  async exists(shopId: string): Promise<boolean> {
    return (await this.shops.exists({ _id: shopId })) !== null;
  }

  async isEmpty(): Promise<boolean> {
    return (await this.shops.findOne({}, { _id: 1 }).lean()) === null;
  }

  /** The shops with these ids, newest first. */
  async list(shopIds: readonly string[], after: string | null, limit: number): Promise<Shop[]> {
    const ids = shopIds.filter((id) => after === null || id < after).map((id) => new Types.ObjectId(id));
    const records = await this.shops
      .find({ _id: trusted({ $in: ids }) }, FIELDS)
      .sort({ _id: -1 })
      .limit(limit)
      .lean();
    return records.map(toShop);
  }

  /** Claims a hostname. A verified one stays in use until the new one is proved. */
  async claimDomain(shopId: string, hostname: string, token: string): Promise<Shop | null> {
    const record = await this.shops
      .findOneAndUpdate(
        { _id: shopId },
        { $set: { domain: { hostname, token } } },
        { returnDocument: 'after', projection: FIELDS },
      )
      .lean();
    return record && toShop(record);
  }

  /**
   * Marks the claimed hostname as verified, unless the claim changed meanwhile.
   * @throws AppError domain_taken when another shop was faster
   */
  async verifyDomain(shopId: string, hostname: string, token: string): Promise<Shop | null> {
    const update = this.shops
      .findOneAndUpdate(
        { _id: shopId, 'domain.hostname': hostname, 'domain.token': token },
        { $set: { verifiedHostname: hostname } },
        { returnDocument: 'after', projection: FIELDS },
      )
      .lean();
    const record = await orDuplicate(update.exec(), 'domain_taken');
    return record && toShop(record);
  }

  async isHostnameHeld(hostname: string, exceptShopId: string): Promise<boolean> {
    const holder = await this.shops.findOne({ verifiedHostname: hostname }, { _id: 1 }).lean();
    return holder !== null && holder._id.toHexString() !== exceptShopId;
  }

  /** Removes the custom domain, if there is one; one conditional update either way. */
  async removeDomain(shopId: string): Promise<Shop | null> {
    const record = await this.shops
      .findOneAndUpdate(
        { _id: shopId },
        { $set: { domain: null }, $unset: { verifiedHostname: 1 } },
        { returnDocument: 'after', projection: FIELDS },
      )
      .lean();
    return record && toShop(record);
  }
}
