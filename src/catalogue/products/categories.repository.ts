import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { Page, type PageRequest } from '../../lib/paging/page.js';
import { orDuplicate } from '../../infrastructure/database/database-errors.js';
import { countedById } from '../../infrastructure/database/count-listed.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { forInsert, fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type SoldCategory } from '../snapshot/catalogue-snapshot.js';
import { CATEGORY_MODEL, type CategoryRecord } from './category.schema.js';
import { type Category, type CategoryValues } from './category.types.js';

/** Of a record that was stored before categories had images. */
const NO_IMAGE = { imageId: null };
const TAKEN = 'category_slug_taken';

@Injectable()
export class CategoriesRepository {
  constructor(@InjectModel(CATEGORY_MODEL) private readonly categories: Model<CategoryRecord>) {}

  /** @throws AppError category_slug_taken */
  async insert(shopId: string, values: Omit<Category, 'id' | 'shopId'>, transaction: Transaction): Promise<Category> {
    const insert = this.categories.insertOne(forInsert({ ...values, shopId }), { session: transaction });
    return toCategory((await orDuplicate(insert, TAKEN)).toObject());
  }

  async find(shopId: string, categoryId: string, transaction: Transaction): Promise<Category | null> {
    const record = await this.categories.findOne({ _id: categoryId, shopId }).session(transaction).lean();
    return record && toCategory(record);
  }

  async list(shopId: string, page: PageRequest): Promise<Page<Category>> {
    const [records, total] = await countedById<CategoryRecord>(this.categories, { shopId }, page);
    return Page.of(records.map(toCategory), page.limit).counted(total);
  }

  /** All categories, for a snapshot. */
  async listSold(shopId: string, transaction: Transaction): Promise<SoldCategory[]> {
    const records = await this.categories
      .find({ shopId }, { name: 1, slug: 1, description: 1, parentId: 1, imageId: 1, position: 1 })
      .session(transaction)
      .lean();
    return records.map((record) => ({ ...NO_IMAGE, ...fromStored(record) }));
  }

  /** Those of some images that a category shows. */
  async usedImages(shopId: string, hashes: readonly string[], transaction: Transaction): Promise<readonly string[]> {
    const using = { shopId, imageId: oneOf(hashes) };
    const records = await this.categories.find(using, { imageId: 1 }).session(transaction).lean();
    return records.flatMap(({ imageId }) => imageId ?? []);
  }

  /** Counts the categories of a shop, at most up to a number. */
  async countAll(shopId: string, upTo: number, transaction: Transaction): Promise<number> {
    return this.categories.countDocuments({ shopId }, { limit: upTo, session: transaction });
  }

  /** Returns the changed category, or null when it does not exist. @throws AppError category_slug_taken */
  async update(
    shopId: string,
    categoryId: string,
    values: CategoryValues,
    transaction: Transaction,
  ): Promise<Category | null> {
    const options = { session: transaction, returnDocument: 'after' } as const;
    const update = this.categories.findOneAndUpdate({ _id: categoryId, shopId }, { $set: values }, options).lean();
    const record = await orDuplicate(update.exec(), TAKEN);
    return record && toCategory(record);
  }

  /** Whether a category has parts. */
  async hasParts(shopId: string, categoryId: string, transaction: Transaction): Promise<boolean> {
    return (await this.categories.exists({ shopId, parentId: categoryId }).session(transaction)) !== null;
  }

  /** Makes the parts of a category stand alone. Returns how many there were. */
  async clearParent(shopId: string, categoryId: string, transaction: Transaction): Promise<number> {
    const parts = { shopId, parentId: categoryId };
    const { modifiedCount } = await this.categories.updateMany(
      parts,
      { $set: { parentId: null } },
      { session: transaction },
    );
    return modifiedCount;
  }

  /** Writes to a category, so that a concurrent deletion conflicts with the transaction. Returns whether the shop has the category. */
  async lock(shopId: string, categoryId: string, transaction: Transaction): Promise<boolean> {
    const options = { session: transaction };
    const { matchedCount } = await this.categories.updateOne(
      { _id: categoryId, shopId },
      { $inc: { revision: 1 } },
      options,
    );
    return matchedCount === 1;
  }

  /** Returns the category as it was, or null when it does not exist. */
  async delete(shopId: string, categoryId: string, transaction: Transaction): Promise<Category | null> {
    const record = await this.categories.findOneAndDelete({ _id: categoryId, shopId }, { session: transaction }).lean();
    return record && toCategory(record);
  }
}

function toCategory({ revision: _, ...record }: CategoryRecord): Category {
  return { ...NO_IMAGE, ...fromStored(record) };
}
