import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type QueryFilter, trusted, type Types } from 'mongoose';
import { type MinorUnits } from '../../lib/money/money.js';
import { Page, type PageRequest } from '../../lib/paging/page.js';
import { searchWordsOf } from '../../lib/strings/search-words.js';
import { withWords } from '../../infrastructure/database/beginnings.js';
import { countedById } from '../../infrastructure/database/count-listed.js';
import { orDuplicate } from '../../infrastructure/database/database-errors.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { ShardedCounters } from '../../infrastructure/database/sharded-counters.js';
import { shardOf } from '../../infrastructure/database/shards.js';
import { forInsert, fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type SoldProduct } from '../snapshot/catalogue-snapshot.js';
import { PRODUCT_MODEL, type ProductRecord } from './product.schema.js';
import { NO_TERMS } from './selling-terms.js';
import { type ProductFilter, type ProductQuantity, type Product, type ProductValues } from './product.types.js';

/** A deleted product is for statistics only. */
const NOT_ARCHIVED = { archivedAt: null };

/** A product without servers is sold for every server. */
function soldFor(servers: ReadonlySet<string>): object {
  return { $or: [{ serverIds: trusted({ $size: 0 }) }, { serverIds: oneOf(servers) }] };
}

/** A record as the item. One that was stored before products had terms, images and `restockOnRefund` has the defaults. */
const itemOf = <Fields extends { _id: Types.ObjectId }>(record: Fields) => ({
  ...NO_TERMS,
  imageIds: [] as readonly string[],
  restockOnRefund: false,
  ...fromStored(record),
});

const wordsOf = ({ name, slug }: Pick<Product, 'name' | 'slug'>) => ({ searchWords: searchWordsOf(name, slug) });

function conditionsOf({ q, isActive, categoryId, serverId }: ProductFilter): QueryFilter<ProductRecord>[] {
  return [
    ...(q === undefined ? [] : withWords<ProductRecord>(q)),
    ...(isActive === undefined ? [] : [{ isActive }]),
    ...(categoryId === undefined ? [] : [{ categoryId }]),
    ...(serverId === undefined ? [] : [soldFor(new Set([serverId]))]),
  ];
}

@Injectable()
export class ProductsRepository {
  constructor(
    @InjectModel(PRODUCT_MODEL) private readonly products: Model<ProductRecord>,
    private readonly counters: ShardedCounters,
  ) {}

  /** @throws AppError product_slug_taken */
  async insert(
    shopId: string,
    { stock, ...values }: Omit<Product, 'id' | 'shopId'>,
    transaction: Transaction,
  ): Promise<Product> {
    const record = await orDuplicate(
      this.products.insertOne(forInsert({ ...values, ...wordsOf(values), hasStock: stock !== null, shopId }), {
        session: transaction,
      }),
      'product_slug_taken',
    );
    const { hasStock: _hasStock, searchWords: _words, ...product } = fromStored(record.toObject());
    if (stock !== null) await this.counters.create(shopId, product.id, stock, transaction);
    return { ...product, stock };
  }

  async find(shopId: string, productId: string, transaction: Transaction | null): Promise<Product | null> {
    const record = await this.products
      .findOne({ _id: productId, shopId, ...NOT_ARCHIVED })
      .session(transaction)
      .lean();
    return this.orNull(shopId, record, transaction);
  }

  /** Returns whether the shop has or had a product. */
  async exists(shopId: string, productId: string): Promise<boolean> {
    return (await this.products.exists({ _id: productId, shopId })) !== null;
  }

  async namesOf(shopId: string, productIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const records = await this.products.find({ shopId, _id: oneOf(productIds) }, { name: 1 }).lean();
    return new Map(records.map(({ _id, name }) => [_id.toHexString(), name]));
  }

  /** The lowest price of an active product that is not free, or null. A shop has few products, so they are sorted without an index. */
  async cheapestForSale(shopId: string): Promise<MinorUnits | null> {
    const costsMoney = trusted({ $gt: 0 });
    const cheapest = await this.products
      .findOne({ shopId, ...NOT_ARCHIVED, isActive: true, priceMinor: costsMoney }, { priceMinor: 1 })
      .sort({ priceMinor: 1 })
      .lean();
    return cheapest?.priceMinor ?? null;
  }

  /** Counts the products of a shop, at most up to a number. */
  async countAll(shopId: string, upTo: number, transaction: Transaction): Promise<number> {
    return this.products.countDocuments({ shopId, ...NOT_ARCHIVED }, { limit: upTo, session: transaction });
  }

  /** Whether other products count as this one. A shop has few products, so they are read without an index of their own. */
  async isHead(shopId: string, productId: string, transaction: Transaction): Promise<boolean> {
    const counting = { shopId, ...NOT_ARCHIVED, countsAs: productId };
    return (await this.products.exists(counting).session(transaction)) !== null;
  }

  /** Counts those of these products that the shop has, each once. */
  async countKnown(shopId: string, productIds: readonly string[], transaction: Transaction | null): Promise<number> {
    const known = { _id: oneOf(productIds), shopId, ...NOT_ARCHIVED };
    return this.products.countDocuments(known).session(transaction);
  }

  /** The names of the first 10 products that have a compare-at price. A shop has few products, so they are read without an index of their own. */
  async comparedNames(shopId: string, transaction: Transaction): Promise<readonly string[]> {
    const compared = { shopId, ...NOT_ARCHIVED, compareAtPriceMinor: trusted({ $ne: null }) };
    const records = await this.products
      .find(compared, { name: 1 })
      .sort({ _id: 1 })
      .limit(10)
      .session(transaction)
      .lean();
    return records.map(({ name }) => name);
  }

  /** Those of some images that a product shows. */
  async usedImages(shopId: string, hashes: readonly string[], transaction: Transaction): Promise<readonly string[]> {
    const using = { shopId, ...NOT_ARCHIVED, imageIds: oneOf(hashes) };
    const records = await this.products.find(using, { imageIds: 1 }).session(transaction).lean();
    return records.flatMap(({ imageIds }) => imageIds);
  }

  /** Whether the shop has a product. */
  async hasAny(shopId: string): Promise<boolean> {
    return (await this.products.exists({ shopId, ...NOT_ARCHIVED })) !== null;
  }

  /** All products that are not deleted, for a snapshot. */
  async listSold(shopId: string, transaction: Transaction): Promise<Omit<SoldProduct, 'stages'>[]> {
    const records = await this.products
      .find({ shopId, ...NOT_ARCHIVED }, { shopId: 0, archivedAt: 0, createdAt: 0, createdBy: 0 })
      .session(transaction)
      .lean();
    return records.map(itemOf);
  }

  /**
   * The products that a filter finds, newest first, and how many there are (`countedById`).
   * @param forServers only products that are sold for one of these game servers; null: all products
   */
  async list(
    shopId: string,
    forServers: ReadonlySet<string> | null,
    filter: ProductFilter,
    page: PageRequest,
  ): Promise<Page<Product>> {
    const within = forServers === null ? {} : soldFor(forServers);
    const wanted = { shopId, ...NOT_ARCHIVED, $and: [within, ...conditionsOf(filter)] };
    const [records, total] = await countedById<ProductRecord>(this.products, wanted, page);
    return Page.of(await this.counted(shopId, records, null), page.limit).counted(total);
  }

  /**
   * @param stock absent: the stock is not written, because orders change it
   * @returns the changed product, or null when it does not exist
   * @throws AppError product_slug_taken
   */
  async update(
    shopId: string,
    productId: string,
    { stock, ...values }: Omit<ProductValues, 'stock'> & Partial<Pick<ProductValues, 'stock'>>,
    transaction: Transaction,
  ): Promise<Product | null> {
    const options = { session: transaction, returnDocument: 'before' } as const;
    const searchable = { ...values, ...wordsOf(values) };
    const change = stock === undefined ? searchable : { ...searchable, hasStock: stock !== null };
    const before = await orDuplicate(
      this.products
        .findOneAndUpdate({ _id: productId, shopId, ...NOT_ARCHIVED }, { $set: forInsert(change) }, options)
        .lean()
        .exec(),
      'product_slug_taken',
    );
    if (before === null) return null;
    if (stock === null) await this.counters.remove(shopId, productId, transaction);
    else if (stock !== undefined) {
      if (before.hasStock) await this.counters.set(shopId, productId, stock, transaction);
      else await this.counters.create(shopId, productId, stock, transaction);
    }
    return this.find(shopId, productId, transaction);
  }

  /** Takes the products of a category out of it. Returns how many there were. */
  async clearCategory(shopId: string, categoryId: string, transaction: Transaction): Promise<number> {
    const change = { $set: { categoryId: null } };
    const { modifiedCount } = await this.products.updateMany({ shopId, categoryId }, change, { session: transaction });
    return modifiedCount;
  }

  /** How many units are left of each of these products that has a stock. */
  stockOf(
    shopId: string,
    productIds: readonly string[],
    transaction: Transaction | null,
  ): Promise<ReadonlyMap<string, number>> {
    return this.counters.left(shopId, productIds, transaction);
  }

  /** Those of some products whose units go back to the stock with a full refund although they were delivered. */
  async restockedOnRefund(
    shopId: string,
    productIds: readonly string[],
    transaction: Transaction,
  ): Promise<ReadonlySet<string>> {
    const records = await this.products
      .find({ _id: oneOf(productIds), shopId, restockOnRefund: true }, { _id: 1 })
      .session(transaction)
      .lean();
    return new Set(records.map(({ _id }) => _id.toHexString()));
  }

  /** Takes units from the stock for an order. @returns false when fewer are left: then it takes none */
  takeStock(
    shopId: string,
    { productId, quantity }: ProductQuantity,
    orderId: string,
    transaction: Transaction,
  ): Promise<boolean> {
    return this.counters.take(shopId, productId, quantity, shardOf(orderId), transaction);
  }

  /** Takes units without a check. Does nothing for a product that has no stock any more. */
  takeStockAnyway(shopId: string, { productId, quantity }: ProductQuantity, transaction: Transaction): Promise<void> {
    return this.counters.takeAnyway(shopId, productId, quantity, transaction);
  }

  /** Gives units back. Does nothing for a product that has no stock any more. */
  releaseStock(shopId: string, { productId, quantity }: ProductQuantity, transaction: Transaction): Promise<void> {
    return this.counters.release(shopId, productId, quantity, transaction);
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
    const archived = await this.orNull(shopId, record, transaction);
    await this.counters.remove(shopId, productId, transaction);
    return archived;
  }

  private async orNull(
    shopId: string,
    record: ProductRecord | null,
    transaction: Transaction | null,
  ): Promise<Product | null> {
    const [product] = await this.counted(shopId, record === null ? [] : [record], transaction);
    return product ?? null;
  }

  /** Adds how many units are left of each product. */
  private async counted(
    shopId: string,
    records: readonly ProductRecord[],
    transaction: Transaction | null,
  ): Promise<Product[]> {
    const products = records.map(itemOf);
    const limited = products.filter(({ hasStock }) => hasStock).map(({ id }) => id);
    const left = await this.counters.left(shopId, limited, transaction);
    return products.map(({ hasStock, ...product }) => ({
      ...product,
      stock: hasStock ? (left.get(product.id) ?? 0) : null,
    }));
  }
}
