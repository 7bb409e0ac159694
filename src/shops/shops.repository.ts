import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type QueryFilter, trusted, Types, type UpdateQuery } from 'mongoose';
import { orDuplicate } from '../database/database-errors.js';
import { type Transaction } from '../database/transactions.js';
import { type DomainProofRecord, SHOP_MODEL, type ShopRecord } from './shop.schema.js';
import { type Shop, type ShopSettings, type ShopStamp } from './shop.types.js';

const FIELDS = {
  uniqueName: 1,
  displayName: 1,
  currency: 1,
  timezone: 1,
  nicknameRule: 1,
  isActive: 1,
  domain: 1,
  verifiedHostname: 1,
  proof: 1,
  createdAt: 1,
} as const;

function toShop(record: Omit<ShopRecord, 'createdBy' | 'updatedAt' | 'updatedBy'>): Shop {
  const { _id, uniqueName, displayName, currency, timezone, nicknameRule, isActive, domain, proof, createdAt } = record;
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
    proof: proof ? { token: proof.token, missingSince: proof.missingSince } : null,
    createdAt,
  };
}

@Injectable()
export class ShopsRepository {
  constructor(@InjectModel(SHOP_MODEL) private readonly shops: Model<ShopRecord>) {}

  /** @throws AppError shop_name_taken */
  async insert(shop: Omit<ShopRecord, '_id' | 'updatedAt' | 'updatedBy'>, transaction: Transaction): Promise<Shop> {
    return toShop(await orDuplicate(new this.shops(shop).save({ session: transaction }), 'shop_name_taken'));
  }

  async find(shopId: string, transaction?: Transaction): Promise<Shop | null> {
    const record = await this.shops.findById(shopId, FIELDS, transaction ? { session: transaction } : {}).lean();
    return record && toShop(record);
  }

  async findByUniqueName(uniqueName: string): Promise<Shop | null> {
    const record = await this.shops.findOne({ uniqueName }, FIELDS).lean();
    return record && toShop(record);
  }

  async findByVerifiedHostname(hostname: string): Promise<Shop | null> {
    const record = await this.shops.findOne({ verifiedHostname: hostname }, FIELDS).lean();
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

  async update(
    shopId: string,
    settings: Partial<ShopSettings>,
    stamp: ShopStamp,
    transaction: Transaction,
  ): Promise<Shop | null> {
    return this.change({ _id: shopId }, { $set: { ...settings, ...stamp } }, transaction);
  }

  /** Opens or closes a shop; null when it is so already. */
  async setActive(shopId: string, isActive: boolean, stamp: ShopStamp, transaction: Transaction): Promise<Shop | null> {
    return this.change({ _id: shopId, isActive: !isActive }, { $set: { isActive, ...stamp } }, transaction);
  }

  /** Claims a hostname. A verified one stays in use until the new one is proved. */
  async claimDomain(
    shopId: string,
    { hostname, token }: { readonly hostname: string; readonly token: string },
    stamp: ShopStamp,
    transaction: Transaction,
  ): Promise<Shop | null> {
    return this.change({ _id: shopId }, { $set: { domain: { hostname, token }, ...stamp } }, transaction);
  }

  /**
   * Marks the claimed hostname as verified; null when the claim changed meanwhile.
   * @param proof absent where nobody will ever look again
   * @throws AppError domain_taken when another shop was faster
   */
  async verifyDomain(
    shopId: string,
    { hostname, token }: { readonly hostname: string; readonly token: string },
    proof: DomainProofRecord | null,
    stamp: ShopStamp,
    transaction: Transaction,
  ): Promise<Shop | null> {
    const set = { verifiedHostname: hostname, ...stamp };
    const update = this.change(
      { _id: shopId, 'domain.hostname': hostname, 'domain.token': token },
      proof === null ? { $set: set, $unset: { proof: 1 } } : { $set: { ...set, proof } },
      transaction,
    );
    return orDuplicate(update, 'domain_taken');
  }

  async isHostnameHeld(hostname: string, exceptShopId: string): Promise<boolean> {
    const holder = await this.shops.findOne({ verifiedHostname: hostname }, { _id: 1 }).lean();
    return holder !== null && holder._id.toHexString() !== exceptShopId;
  }

  /** Removes the custom domain; null when there is none. */
  async removeDomain(shopId: string, stamp: ShopStamp, transaction: Transaction): Promise<Shop | null> {
    return this.change(
      { _id: shopId, domain: trusted({ $ne: null }) },
      { $set: { domain: null, ...stamp }, $unset: { verifiedHostname: 1, proof: 1 } },
      transaction,
    );
  }

  private async change(
    filter: QueryFilter<ShopRecord>,
    update: UpdateQuery<ShopRecord>,
    transaction: Transaction,
  ): Promise<Shop | null> {
    const record = await this.shops
      .findOneAndUpdate(filter, update, { session: transaction, returnDocument: 'after', projection: FIELDS })
      .lean();
    return record && toShop(record);
  }
}
