import { SECOND_MS } from '../../lib/time/durations.js';
import mongoose, { type Aggregate, type Query, type Schema } from 'mongoose';

const READ_MAX_TIME_MS = 2 * SECOND_MS;
const WRITE_MAX_TIME_MS = 5 * SECOND_MS;
const LIST_COUNT_MAX_TIME_MS = 300;

let timesLonger = 1;

/** The time limit of a count that a list can do without. */
export const listCountMaxTimeMs = (): number => LIST_COUNT_MAX_TIME_MS * timesLonger;

function limitTime(maxTimeMs: number) {
  return function (this: Query<unknown, unknown>): void {
    if (this.getOptions().maxTimeMS === undefined) this.maxTimeMS(maxTimeMs);
  };
}

/** Gives every query of a schema a time limit in the database, so that slow queries do not pile up. */
function limitTimes(schema: Schema, factor: number): void {
  const readMs = READ_MAX_TIME_MS * factor;
  schema.pre(['find', 'findOne', 'countDocuments', 'distinct'], limitTime(readMs));
  schema.pre(
    ['findOneAndUpdate', 'findOneAndDelete', 'updateOne', 'updateMany', 'deleteOne', 'deleteMany'],
    limitTime(WRITE_MAX_TIME_MS * factor),
  );
  schema.pre('aggregate', function (this: Aggregate<unknown>) {
    if (this.options.maxTimeMS === undefined) this.option({ maxTimeMS: readMs });
  });
}

/**
 * Mongoose's settings for the whole process: no operator from a client reaches a query (`sanitizeFilter`), a filter with an
 * unknown field is an error instead of a filter that matches everything, and writes obey the schema: an unknown field, a change
 * of an immutable one and a value that a validator rejects are errors.
 * @param timeLimitFactor multiplies the time limit of every query
 */
export function setQueryDefaults(timeLimitFactor: number): void {
  timesLonger = timeLimitFactor;
  mongoose.set({ sanitizeFilter: true, strictQuery: 'throw', sanitizeProjection: true, runValidators: true });
  mongoose.plugin((schema: Schema) => {
    schema.set('strict', 'throw');
    limitTimes(schema, timeLimitFactor);
  });
}
