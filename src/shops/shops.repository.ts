import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type QueryFilter, trusted, Types, type UpdateQuery } from 'mongoose';
import { Page, type PageRequest } from '../common/http/page.js';
import { orDuplicate } from '../database/database-errors.js';
import { readOne } from '../database/direct-reads.js';
import { type Transaction } from '../database/transactions.js';
import { SHOP_FIELDS, SHOP_MODEL, type ShopRecord, toShop } from './shop.schema.js';
import { type Shop, type ShopSettings, type ShopStamp } from './shop.types.js';

@Injectable()
export class ShopsRepository {
  constructor(@InjectModel(SHOP_MODEL) private readonly shops: Model<ShopRecord>) {}

  /** @throws AppError shop_name_taken */
  async insert(shop: Omit<ShopRecord, '_id' | 'updatedAt' | 'updatedBy'>, transaction: Transaction): Promise<Shop> {
    return toShop(await orDuplicate(this.shops.insertOne(shop, { session: transaction }), 'shop_name_taken'));
  }

  async find(shopId: string, transaction: Transaction | null): Promise<Shop | null> {
    const filter = { _id: new Types.ObjectId(shopId) };
    const record = await readOne<ShopRecord>(this.shops, filter, { fields: SHOP_FIELDS, transaction });
    return record && toShop(record);
  }

  async findByUniqueName(uniqueName: string): Promise<Shop | null> {
    const record = await this.shops.findOne({ uniqueName }, SHOP_FIELDS).lean();
    return record && toShop(record);
  }

  async findByVerifiedHostname(hostname: string): Promise<Shop | null> {
    const record = await this.shops.findOne({ verifiedHostname: hostname }, SHOP_FIELDS).lean();
    return record && toShop(record);
  }

  async exists(shopId: string): Promise<boolean> {
    return (await this.shops.exists({ _id: shopId })) !== null;
  }

  async isEmpty(): Promise<boolean> {
    return (await this.shops.findOne({}, { _id: 1 }).lean()) === null;
  }

  /** The shops with these ids, newest first. */
  async list(shopIds: readonly string[], { after, limit }: PageRequest): Promise<Page<Shop>> {
    const ids = shopIds.filter((id) => after === null || id < after).map((id) => new Types.ObjectId(id));
    const records = await this.shops
      .find({ _id: trusted({ $in: ids }) }, SHOP_FIELDS)
      .sort({ _id: -1 })
      .limit(limit + 1)
      .lean();
    return Page.of(records.map(toShop), limit);
  }

  async update(
    shopId: string,
    settings: Partial<ShopSettings>,
    stamp: ShopStamp,
    transaction: Transaction,
  ): Promise<Shop | null> {
    return changeShop(this.shops, { _id: shopId }, { $set: { ...settings, ...stamp } }, transaction);
  }

  /** Opens or closes a shop. Returns null when it is open or closed already. */
  async setActive(shopId: string, isActive: boolean, stamp: ShopStamp, transaction: Transaction): Promise<Shop | null> {
    return changeShop(this.shops, { _id: shopId, isActive: !isActive }, { $set: { isActive, ...stamp } }, transaction);
  }
}

/** Changes one shop. Returns it as it is afterwards, or null when the filter matches none. */
export async function changeShop(
  shops: Model<ShopRecord>,
  filter: QueryFilter<ShopRecord>,
  update: UpdateQuery<ShopRecord>,
  transaction: Transaction,
): Promise<Shop | null> {
  const record = await shops
    .findOneAndUpdate(filter, update, { session: transaction, returnDocument: 'after', projection: SHOP_FIELDS })
    .lean();
  return record && toShop(record);
}
