import mongoose, { type Model, type QueryFilter } from 'mongoose';
import { MAX_COUNTED, type PageRequest } from '../../lib/paging/page.js';
import { afterIdOf, byId } from './paging.js';
import { listCountMaxTimeMs } from './query-defaults.js';

const MAX_TIME_EXPIRED = 50;

/**
 * How many records a list has, for `Page.counted`: at most `MAX_COUNTED + 1`. Where an index decides the whole filter, the database reads
 * no document for it. null when it takes too long, which only filters can that no index decides: a page must not wait for its count.
 */
export async function countListed<Item>(
  model: Model<Item>,
  filter: QueryFilter<NoInfer<Item>>,
): Promise<number | null> {
  try {
    return await model.countDocuments(filter, { limit: MAX_COUNTED + 1, maxTimeMS: listCountMaxTimeMs() });
  } catch (error) {
    if (error instanceof mongoose.mongo.MongoServerError && error.code === MAX_TIME_EXPIRED) return null;
    throw error;
  }
}

/**
 * The `limit + 1` records of a page of a list in the order of its ids, and how many the whole list has (`countListed`).
 * @param without the fields of a record that are not read
 */
export function countedById<Item>(
  model: Model<Item>,
  filter: QueryFilter<NoInfer<Item>>,
  page: PageRequest,
  without: Readonly<Record<string, 0>> = {},
): Promise<[records: Item[], total: number | null]> {
  const { limit } = page;
  const records = model
    .find({ $and: [filter, afterIdOf(page)] }, without)
    .sort(byId(page))
    .limit(limit + 1);
  return Promise.all([records.lean<Item[]>().exec(), countListed(model, filter)]);
}
