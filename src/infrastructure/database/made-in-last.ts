import { mongo, trusted } from 'mongoose';
import { SECOND_MS } from '../../lib/time/durations.js';

/**
 * For the pipeline of an aggregation: matches the records of the last time. Ids begin with the time at which they were made, so the index
 * of `_id` has these together.
 */
export function madeInLast(timeMs: number, now: Date): { _id: { $gte: mongo.ObjectId } } {
  return { _id: { $gte: firstIdOf(now.getTime() - timeMs) } };
}

/** The largest number of seconds that an id can begin with. */
const LAST_SECOND = 0xffff_ffff;

function firstIdOf(time: number): mongo.ObjectId {
  const second = Math.floor(time / SECOND_MS);
  return mongo.ObjectId.createFromTime(Math.min(Math.max(second, 0), LAST_SECOND));
}

/** A new id that begins with the second of a time, so that a range of ids has exactly what was made in a period of whole seconds. */
export function idMadeAt(time: Date): mongo.ObjectId {
  return new mongo.ObjectId(mongo.ObjectId.generate(Math.floor(time.getTime() / SECOND_MS)));
}

/** The range of the ids (`idMadeAt`) of a time or later. It has the whole second of the time. */
export function madeFrom(time: Date): { _id: { $gte: mongo.ObjectId } } {
  return { _id: trusted({ $gte: firstIdOf(time.getTime()) }) };
}

/** The range of the ids (`idMadeAt`) before a time. It has the whole second of the time, unless the time begins one. */
export function madeBefore(time: Date): { _id: { $lt: mongo.ObjectId } } {
  return { _id: trusted({ $lt: firstIdOf(time.getTime() + SECOND_MS - 1) }) };
}

/** Whether ranges of ids end exactly at a time. */
export const isWholeSecond = (time: Date): boolean => time.getTime() % SECOND_MS === 0;
