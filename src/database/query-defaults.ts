import mongoose, { type Aggregate, type Query, type Schema } from 'mongoose';

const READ_MAX_TIME_MS = 2_000;
const WRITE_MAX_TIME_MS = 5_000;

function limitTime(maxTimeMs: number) {
  return function (this: Query<unknown, unknown>): void {
    if (this.getOptions().maxTimeMS === undefined) this.maxTimeMS(maxTimeMs);
  };
}

/** Gives every query of a schema a time limit at the server, so that a slow one cannot pile up work behind it. */
function timeLimits(schema: Schema): void {
  schema.pre(['find', 'findOne', 'countDocuments', 'distinct'], limitTime(READ_MAX_TIME_MS));
  schema.pre(
    ['findOneAndUpdate', 'findOneAndDelete', 'updateOne', 'updateMany', 'deleteOne', 'deleteMany'],
    limitTime(WRITE_MAX_TIME_MS),
  );
  schema.pre('aggregate', function (this: Aggregate<unknown>) {
    if (this.options.maxTimeMS === undefined) this.option({ maxTimeMS: READ_MAX_TIME_MS });
  });
}

/**
 * Mongoose's settings for the whole process: no operator from a client reaches a query (`sanitizeFilter`), and a filter
 * with a field that the schema does not know is an error instead of a filter that matches everything.
 */
export function setQueryDefaults(): void {
  mongoose.set({ sanitizeFilter: true, strictQuery: 'throw', sanitizeProjection: true });
  mongoose.plugin(timeLimits);
}
