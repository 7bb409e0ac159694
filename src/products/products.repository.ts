import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { placeOf } from '../common/http/numbered-position.js';
import { Page, type PageRequest } from '../common/http/page.js';
import { orDuplicate } from '../database/database-errors.js';
import { oneOf } from '../database/one-of.js';
import { behind, BY_POSITION, olderThan } from '../database/paging.js';
import { forInsert, fromStored } from '../database/stored.js';
import { type Transaction } from '../database/transactions.js';
import { PRODUCT_MODEL, type ProductRecord } from './product.schema.js';
import { type Product, type ProductValues } from './product.types.js';

/** A deleted product is for statistics only. */
const NOT_ARCHIVED = { archivedAt: null };

/** A product without servers is sold for every server. */
function soldFor(servers: ReadonlySet<string>): object {
  return { $or: [{ serverIds: trusted({ $size: 0 }) }, { serverIds: oneOf(servers) }] };
}

@Injectable()
export class ProductsRepository {
  constructor(@InjectModel(PRODUCT_MODEL) private readonly products: Model<ProductRecord>) {}

  /** @throws AppError product_slug_taken */
  async insert(shopId: string, values: Omit<Product, 'id' | 'shopId'>, transaction: Transaction): Promise<Product> {
    const record = await orDuplicate(
      this.products.insertOne(forInsert({ ...values, shopId }), { session: transaction }),
      'product_slug_taken',
    );
    return fromStored(record.toObject());
  }

  async find(shopId: string, productId: string, transaction: Transaction | null): Promise<Product | null> {
    const record = await this.products
      .findOne({ _id: productId, shopId, ...NOT_ARCHIVED })
      .session(transaction)
      .lean();
    return record && fromStored(record);
  }

  /** Returns how many of these products the shop has. */
  async count(shopId: string, productIds: readonly string[]): Promise<number> {
    return this.products.countDocuments({ shopId, ...NOT_ARCHIVED, _id: oneOf(productIds) });
  }

  /** Returns whether the shop has or had a product. */
  async exists(shopId: string, productId: string): Promise<boolean> {
    return (await this.products.exists({ _id: productId, shopId })) !== null;
  }

  /** Counts the products of a shop, at most up to a number. */
  async countAll(shopId: string, upTo: number, transaction: Transaction): Promise<number> {
    return this.products.countDocuments({ shopId, ...NOT_ARCHIVED }, { limit: upTo, session: transaction });
  }

  async findByIds(shopId: string, productIds: readonly string[]): Promise<Product[]> {
    const records = await this.products.find({ shopId, ...NOT_ARCHIVED, _id: oneOf(productIds) }).lean();
    return records.map(fromStored);
  }

  /** @param forServers only products that are sold for one of these game servers; null: all products */
  async list(shopId: string, forServers: ReadonlySet<string> | null, page: PageRequest): Promise<Page<Product>> {
    return this.newest(shopId, forServers === null ? {} : soldFor(forServers), page);
  }

  /** Lists the active products that are sold for one of these servers or for every server, newest first. */
  async listActive(shopId: string, servers: ReadonlySet<string>, page: PageRequest): Promise<Page<Product>> {
    return this.newest(shopId, { isActive: true, ...soldFor(servers) }, page);
  }

  private async newest(shopId: string, filter: object, page: PageRequest): Promise<Page<Product>> {
    const records = await this.products
      .find({ shopId, ...NOT_ARCHIVED, ...olderThan(page), ...filter })
      .sort({ _id: -1 })
      .limit(page.limit + 1)
      .lean();
    return Page.of(records.map(fromStored), page.limit);
  }

  /** Lists the active products that are sold for one of these servers or for every server, by position. */
  async listForSale(shopId: string, servers: ReadonlySet<string>, page: PageRequest): Promise<Page<Product>> {
    const records = await this.products
      .find({ shopId, ...NOT_ARCHIVED, isActive: true, ...behind(page), ...soldFor(servers) })
      .sort(BY_POSITION)
      .limit(page.limit + 1)
      .lean();
    return Page.of(records.map(fromStored), page.limit, placeOf);
  }

  /** Returns the changed product, or null when there is none. @throws AppError product_slug_taken */
  async update(
    shopId: string,
    productId: string,
    values: ProductValues,
    transaction: Transaction,
  ): Promise<Product | null> {
    const options = { session: transaction, returnDocument: 'after' } as const;
    const record = await orDuplicate(
      this.products
        .findOneAndUpdate({ _id: productId, shopId, ...NOT_ARCHIVED }, { $set: forInsert(values) }, options)
        .lean()
        .exec(),
      'product_slug_taken',
    );
    return record && fromStored(record);
  }

  /** Takes the products of a category out of it. Returns how many there were. */
  async clearCategory(shopId: string, categoryId: string, transaction: Transaction): Promise<number> {
    const change = { $set: { categoryId: null } };
    const { modifiedCount } = await this.products.updateMany({ shopId, categoryId }, change, { session: transaction });
    return modifiedCount;
  }

  /** What is left of products with a stock. */
  async stockOf(
    shopId: string,
    productIds: readonly string[],
    transaction: Transaction | null,
  ): Promise<ReadonlyMap<string, number>> {
    const limited = { _id: oneOf(productIds), shopId, stock: trusted({ $ne: null }) };
    const records = await this.products.find(limited, { stock: 1 }).session(transaction).lean();
    return new Map(records.map(({ _id, stock }) => [_id.toHexString(), stock ?? 0]));
  }

  /** Takes pieces from the stock of a product. @returns false when fewer are left: then it takes none */
  async takeStock(shopId: string, productId: string, quantity: number, transaction: Transaction): Promise<boolean> {
    const { modifiedCount } = await this.products.updateOne(
      { _id: productId, shopId, stock: trusted({ $gte: quantity }) },
      { $inc: { stock: -quantity } },
      { session: transaction },
    );
    return modifiedCount === 1;
  }

  /** Changes the stock of a product without a check. Does nothing for a product that has no limited stock any more. */
  async changeStock(shopId: string, productId: string, change: number, transaction: Transaction): Promise<void> {
    await this.products.updateOne(
      { _id: productId, shopId, stock: trusted({ $ne: null }) },
      { $inc: { stock: change } },
      { session: transaction },
    );
  }

  /**
   * Deletes a product; only statistics still include it, and its slug is free again. Returns it as it was, or null when
   * there is none.
   */
  async archive(shopId: string, productId: string, at: Date, transaction: Transaction): Promise<Product | null> {
    const options = { session: transaction, returnDocument: 'before' } as const;
    const record = await this.products
      .findOneAndUpdate({ _id: productId, shopId, ...NOT_ARCHIVED }, { $set: { archivedAt: at, slug: null } }, options)
      .lean();
    return record && fromStored(record);
  }
}
