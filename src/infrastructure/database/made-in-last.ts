import { mongo } from 'mongoose';
import { SECOND_MS } from '../../lib/time/durations.js';

/**
 * For the pipeline of an aggregation: matches the records of the last time. Ids begin with the time at which they were made, so the index
 * of `_id` has these together.
 */
export function madeInLast(timeMs: number, now: Date): { _id: { $gte: mongo.ObjectId } } {
  return { _id: { $gte: mongo.ObjectId.createFromTime(Math.floor((now.getTime() - timeMs) / SECOND_MS)) } };
}
