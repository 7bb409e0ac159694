import mongoose, { type Model, type QueryFilter } from 'mongoose';
import { MAX_COUNTED } from '../../lib/paging/page.js';
import { listCountMaxTimeMs } from './query-defaults.js';

const MAX_TIME_EXPIRED = 50;

/**
 * How many records a list has, for `Page.counted`: at most `MAX_COUNTED + 1`. Where an index decides the whole filter, the database reads
 * no document for it. null when it takes too long, which only filters can that no index decides: a page must not wait for its count.
 */
export async function countListed<Item>(model: Model<Item>, filter: QueryFilter<Item>): Promise<number | null> {
  try {
    return await model.countDocuments(filter, { limit: MAX_COUNTED + 1, maxTimeMS: listCountMaxTimeMs() });
  } catch (error) {
    if (error instanceof mongoose.mongo.MongoServerError && error.code === MAX_TIME_EXPIRED) return null;
    throw error;
  }
}
