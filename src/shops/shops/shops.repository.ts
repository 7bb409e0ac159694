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
import { type Shop, type ShopSettings, type ShopStamp, type WholeShop } from './shop.types.js';

/** Most reads leave out the texts of legal pages: they can have 80,000 characters. */
const WITHOUT_LEGAL_PAGES = { legalPages: 0 } as const;
type PlainRecord = Omit<ShopRecord, 'legalPages'>;

@Injectable()
export class ShopsRepository {
  constructor(@InjectModel(SHOP_MODEL) private readonly shops: Model<ShopRecord>) {}

  /** @throws AppError shop_name_taken */
  async insert(
    id: string,
    shop: Omit<ShopRecord, '_id' | 'updatedAt' | 'updatedBy'>,
    transaction: Transaction,
  ): Promise<WholeShop> {
    const write = this.shops.insertOne(forInsert({ ...shop, _id: id }), { session: transaction });
    return toWholeShop((await orDuplicate(write, 'shop_name_taken')).toObject());
  }

  async find(shopId: string, transaction: Transaction | null): Promise<Shop | null> {
    const query = this.shops.findOne({ _id: shopId }, WITHOUT_LEGAL_PAGES).session(transaction);
    const record = await query.lean<PlainRecord>();
    return record && toShop(record);
  }

  async findWhole(shopId: string, transaction: Transaction | null): Promise<WholeShop | null> {
    const record = await this.shops.findOne({ _id: shopId }).session(transaction).lean();
    return record && toWholeShop(record);
  }

  async findByUniqueName(uniqueName: string): Promise<WholeShop | null> {
    const record = await this.shops.findOne({ uniqueName }).lean();
    return record && toWholeShop(record);
  }

  async findByVerifiedHostname(hostname: string): Promise<WholeShop | null> {
    const record = await this.shops.findOne({ verifiedHostname: hostname }).lean();
    return record && toWholeShop(record);
  }

  /** Whether an origin is the verified domain of a shop, or one that a shop lists. @param host of the origin, with its port */
  async isOrigin(origin: string, host: string): Promise<boolean> {
    return (await this.shops.exists({ $or: [{ verifiedHostname: host }, { origins: origin }] })) !== null;
  }

  async exists(shopId: string): Promise<boolean> {
    return (await this.shops.exists({ _id: shopId })) !== null;
  }

  /** All shops in the order of their ids. @param id null: from the first one */
  async listAfter(id: string | null, limit: number): Promise<Shop[]> {
    const query = this.shops.find(afterId(id), WITHOUT_LEGAL_PAGES).sort({ _id: 1 }).limit(limit);
    const records = await query.lean<PlainRecord[]>();
    return records.map(toShop);
  }

  async isEmpty(): Promise<boolean> {
    return (await this.shops.exists({})) === null;
  }

  /** The shops with these ids, newest first. */
  async list(shopIds: readonly string[], { after, limit }: PageRequest): Promise<Page<Shop>> {
    const ids = shopIds.filter((id) => after === null || id < after);
    const records = await this.shops
      .find({ _id: oneOf(ids) }, WITHOUT_LEGAL_PAGES)
      .sort({ _id: -1 })
      .limit(limit + 1)
      .lean<PlainRecord[]>();
    return Page.of(records.map(toShop), limit);
  }

  async update(
    shopId: string,
    settings: Partial<ShopSettings & Pick<WholeShop, 'legalPages' | 'consents'>>,
    stamp: ShopStamp,
    transaction: Transaction,
  ): Promise<WholeShop | null> {
    return changeShop(this.shops, { _id: shopId }, { $set: { ...settings, ...stamp } }, transaction);
  }

  /** Opens or closes a shop. Returns null when it is open or closed already. */
  async setActive(shopId: string, isActive: boolean, stamp: ShopStamp, transaction: Transaction): Promise<Shop | null> {
    return changeShop(this.shops, { _id: shopId, isActive: !isActive }, { $set: { isActive, ...stamp } }, transaction);
  }

  /** Those of some images to which the settings refer. */
  async usedImages(shopId: string, hashes: readonly string[], transaction: Transaction): Promise<readonly string[]> {
    const fields = { logoId: 1, hero: 1 } as const;
    const record = await this.shops.findOne({ _id: shopId }, fields).session(transaction).lean();
    const used = [record?.logoId, record?.hero.imageId];
    return hashes.filter((hash) => used.includes(hash));
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
): Promise<WholeShop | null> {
  const record = await shops.findOneAndUpdate(filter, update, { session: transaction, returnDocument: 'after' }).lean();
  return record && toWholeShop(record);
}

function toWholeShop({ legalPages, ...record }: ShopRecord): WholeShop {
  return { ...toShop(record), legalPages };
}

/** Returns a stored shop as the item. A claim is verified when its hostname is the one that buyers use. */
function toShop(record: PlainRecord): Shop {
  const {
    domain,
    verifiedHostname = null,
    proof = null,
    consents = [],
    catalogueRevision = null,
    // The products of a shop from before there was a rule may have a compare-at price.
    priceRule = 'none',
    ...shop
  } = fromStored(record);
  const status = domain?.hostname === verifiedHostname ? 'verified' : 'pending';
  // Absent in what was stored before shops had images.
  const images = { logoId: shop.logoId ?? null, hero: { ...shop.hero, imageId: shop.hero.imageId ?? null } };
  return {
    ...shop,
    ...images,
    domain: domain && { ...domain, status },
    verifiedHostname,
    proof,
    consents,
    catalogueRevision,
    priceRule,
  };
}
