import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { Page, type PageRequest } from '../common/http/page.js';
import { oneOf } from '../database/one-of.js';
import { olderThan } from '../database/paging.js';
import { forInsert, fromStored } from '../database/stored.js';
import { type Transaction } from '../database/transactions.js';
import { PRODUCT_MODEL, type ProductRecord } from './product.schema.js';
import { type Product } from './product.types.js';

@Injectable()
export class ProductsRepository {
  constructor(@InjectModel(PRODUCT_MODEL) private readonly products: Model<ProductRecord>) {}

  async insert(shopId: string, values: Omit<Product, 'id' | 'shopId'>, transaction: Transaction): Promise<Product> {
    const record = await this.products.insertOne(forInsert({ ...values, shopId }), { session: transaction });
    return fromStored(record.toObject());
  }

  /** Returns how many of these products the shop has. */
  async count(shopId: string, productIds: readonly string[]): Promise<number> {
    return this.products.countDocuments({ shopId, _id: oneOf(productIds) });
  }

  /** Counts the products of a shop, at most up to a number. */
  async countAll(shopId: string, upTo: number, transaction: Transaction): Promise<number> {
    return this.products.countDocuments({ shopId }, { limit: upTo, session: transaction });
  }

  async findByIds(shopId: string, productIds: readonly string[]): Promise<Product[]> {
    const records = await this.products.find({ shopId, _id: oneOf(productIds) }).lean();
    return records.map(fromStored);
  }

  /** @param forServers only products that are sold for one of these game servers; null: all products */
  async list(shopId: string, forServers: ReadonlySet<string> | null, page: PageRequest): Promise<Page<Product>> {
    // A product without servers is sold for every server.
    const filter =
      forServers === null ? {} : { $or: [{ serverIds: trusted({ $size: 0 }) }, { serverIds: oneOf(forServers) }] };
    const records = await this.products
      .find({ shopId, ...olderThan(page), ...filter })
      .sort({ _id: -1 })
      .limit(page.limit + 1)
      .lean();
    return Page.of(records.map(fromStored), page.limit);
  }
}
