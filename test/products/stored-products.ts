import {
  COUNTER_SHARD_MODEL,
  type CounterShardRecord,
  counterShardSchema,
} from '../../src/infrastructure/database/counter-shard.schema.js';
import { ShardedCounters } from '../../src/infrastructure/database/sharded-counters.js';
import { PRODUCT_MODEL, type ProductRecord, productSchema } from '../../src/catalogue/products/product.schema.js';
import { type Product } from '../../src/catalogue/products/product.types.js';
import { ProductsRepository } from '../../src/catalogue/products/products.repository.js';
import { productWith } from '../support/products.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';

/** A store with the indexes of products, and the repository on it. */
export async function openProducts(): Promise<{ store: TestStore; products: ProductsRepository }> {
  const store = await openTestStore();
  const model = await openModel<ProductRecord>(store.connection, PRODUCT_MODEL, productSchema);
  const shards = await openModel<CounterShardRecord>(store.connection, COUNTER_SHARD_MODEL, counterShardSchema);
  return { store, products: new ProductsRepository(model, new ShardedCounters(shards)) };
}

/** What `insert` takes. */
export function valuesWith(fields: Partial<Product> = {}): Omit<Product, 'id' | 'shopId'> {
  const { id: _id, shopId: _shopId, ...values } = productWith(fields);
  return values;
}
