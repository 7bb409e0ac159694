import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted, Types } from 'mongoose';
import { type Transaction } from '../database/transactions.js';
import { PRODUCT_MODEL, type ProductRecord } from './product.schema.js';
import { type Product } from './product.types.js';

const FIELDS = {
  shopId: 1,
  name: 1,
  description: 1,
  priceMinor: 1,
  currency: 1,
  imageUrl: 1,
  serverIds: 1,
  commands: 1,
  isActive: 1,
  createdAt: 1,
} as const;

function toProduct(record: Omit<ProductRecord, 'createdBy'>): Product {
  const { _id, shopId, name, description, priceMinor, currency, imageUrl, serverIds, commands } = record;
  return {
    id: _id.toHexString(),
    shopId: shopId.toHexString(),
    name,
    description,
    priceMinor,
    currency,
    imageUrl,
    serverIds: serverIds.map((id) => id.toHexString()),
    commands: [...commands],
    isActive: record.isActive,
    createdAt: record.createdAt,
  };
}

@Injectable()
export class ProductsRepository {
  constructor(@InjectModel(PRODUCT_MODEL) private readonly products: Model<ProductRecord>) {}

  async insert(
    shopId: string,
    product: Omit<Product, 'id' | 'shopId'> & { createdBy: string },
    transaction: Transaction,
  ): Promise<Product> {
    const record = new this.products({
      ...product,
      shopId: new Types.ObjectId(shopId),
      serverIds: product.serverIds.map((id) => new Types.ObjectId(id)),
      commands: [...product.commands],
    });
    return toProduct(await record.save({ session: transaction }));
  }

  async count(shopId: string, productIds: readonly string[]): Promise<number> {
    const ids = productIds.map((id) => new Types.ObjectId(id));
    return this.products.countDocuments({ shopId, _id: trusted({ $in: ids }) });
  }

  async findByIds(shopId: string, productIds: readonly string[]): Promise<Product[]> {
    const ids = productIds.map((id) => new Types.ObjectId(id));
    const records = await this.products.find({ shopId, _id: trusted({ $in: ids }) }, FIELDS).lean();
    return records.map(toProduct);
  }

  /** @param onServers leaves out what is for none of these game servers; null: leaves out nothing */
  async list(
    shopId: string,
    onServers: ReadonlySet<string> | null,
    after: string | null,
    limit: number,
  ): Promise<Product[]> {
    const ids = [...(onServers ?? [])].map((id) => new Types.ObjectId(id));
    // No server named: for all of them.
    const suitable = [{ serverIds: trusted({ $size: 0 }) }, { serverIds: trusted({ $in: ids }) }];
    const records = await this.products
      .find(
        {
          shopId,
          ...(after === null ? {} : { _id: trusted({ $lt: new Types.ObjectId(after) }) }),
          ...(onServers === null ? {} : { $or: suitable }),
        },
        FIELDS,
      )
      .sort({ _id: -1 })
      .limit(limit)
      .lean();
    return records.map(toProduct);
  }
}
