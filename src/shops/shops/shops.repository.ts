import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type QueryFilter, type UpdateQuery } from 'mongoose';
import { Page, type PageRequest } from '../../lib/paging/page.js';
import { afterId } from '../../infrastructure/database/after-id.js';
import { orDuplicate } from '../../infrastructure/database/database-errors.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { forInsert, fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { SHOP_MODEL, type ShopRecord } from './shop.schema.js';
import { type Shop, type ShopSettings, type ShopStamp } from './shop.types.js';

@Injectable()
export class ShopsRepository {
  constructor(@InjectModel(SHOP_MODEL) private readonly shops: Model<ShopRecord>) {}

  /** @throws AppError shop_name_taken */
  async insert(shop: Omit<ShopRecord, '_id' | 'updatedAt' | 'updatedBy'>, transaction: Transaction): Promise<Shop> {
    const write = this.shops.insertOne(forInsert(shop), { session: transaction });
    return toShop((await orDuplicate(write, 'shop_name_taken')).toObject());
  }

  async find(shopId: string, transaction: Transaction | null): Promise<Shop | null> {
    const record = await this.shops.findOne({ _id: shopId }).session(transaction).lean();
    return record && toShop(record);
  }

  async findByUniqueName(uniqueName: string): Promise<Shop | null> {
    const record = await this.shops.findOne({ uniqueName }).lean();
    return record && toShop(record);
  }

  async findByVerifiedHostname(hostname: string): Promise<Shop | null> {
    const record = await this.shops.findOne({ verifiedHostname: hostname }).lean();
    return record && toShop(record);
  }

  async exists(shopId: string): Promise<boolean> {
    return (await this.shops.exists({ _id: shopId })) !== null;
  }

  /** All shops in the order of their ids. @param id null: from the first one */
  async listAfter(id: string | null, limit: number): Promise<Shop[]> {
    const records = await this.shops.find(afterId(id)).sort({ _id: 1 }).limit(limit).lean();
    return records.map(toShop);
  }

  async isEmpty(): Promise<boolean> {
    return (await this.shops.exists({})) === null;
  }

  /** The shops with these ids, newest first. */
  async list(shopIds: readonly string[], { after, limit }: PageRequest): Promise<Page<Shop>> {
    const ids = shopIds.filter((id) => after === null || id < after);
    const records = await this.shops
      .find({ _id: oneOf(ids) })
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

  /** What decides whether an order may be placed. */
  async findSelling(
    shopId: string,
    transaction: Transaction,
  ): Promise<Pick<Shop, 'isActive' | 'catalogueRevision'> | null> {
    const fields = { isActive: 1, catalogueRevision: 1 } as const;
    const record = await this.shops.findOne({ _id: shopId }, fields).session(transaction).lean();
    return record && { isActive: record.isActive, catalogueRevision: record.catalogueRevision ?? null };
  }

  /** Stores a revision of what a shop sells. */
  async setCatalogueRevision(shopId: string, catalogueRevision: string, transaction: Transaction): Promise<void> {
    await this.shops.updateOne({ _id: shopId }, { $set: { catalogueRevision } }, { session: transaction });
  }
}

/** Changes one shop. Returns it as it is afterwards, or null when the filter matches none. */
export async function changeShop(
  shops: Model<ShopRecord>,
  filter: QueryFilter<ShopRecord>,
  update: UpdateQuery<ShopRecord>,
  transaction: Transaction,
): Promise<Shop | null> {
  const record = await shops.findOneAndUpdate(filter, update, { session: transaction, returnDocument: 'after' }).lean();
  return record && toShop(record);
}

/** Returns a stored shop as the item. A claim is verified when its hostname is the one that buyers use. */
function toShop(record: ShopRecord): Shop {
  const { domain, verifiedHostname = null, proof = null, catalogueRevision = null, ...shop } = fromStored(record);
  const status = domain?.hostname === verifiedHostname ? 'verified' : 'pending';
  return { ...shop, domain: domain && { ...domain, status }, verifiedHostname, proof, catalogueRevision };
}
