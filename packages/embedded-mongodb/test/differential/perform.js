import { EJSON } from 'bson';
import { Double, Int32, Long } from 'mongodb';

/** The name of the index that only the embedded store has. */
export const own = 'arr.0_1';

/** A value as a string, with its types, so that values can be compared. */
export const text = (value) => EJSON.stringify(value ?? null, { relaxed: false });

const isNumber = (value) => value instanceof Int32 || value instanceof Double || value instanceof Long;
/** The value without the types of its numbers, for places where equal numbers of different types are equal. */
export function byValue(value) {
  if (isNumber(value)) return { number: String(Number(value.toString())) };
  if (Array.isArray(value)) return value.map(byValue);
  if (value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype)
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, byValue(field)]));
  return value;
}
const sorted = (values) => values.map(text).sort();

/** A double rounded to so many digits; any other value as it is. */
const digits = (value, count) => (value instanceof Double ? { double: value.value.toPrecision(count) } : value);

/**
 * A grouped document in a form that can be compared. Of equal numbers any one may be the key of the group or its least value.
 * A set has no order (manual: reference/operator/aggregation/addToSet), and a list has none because the second engine ignores
 * the sort before it. The second engine also rounds away the last digits of a sum, which MongoDB and the embedded store keep
 * (summation.h).
 */
function grouped(document) {
  const { _id, all, set, least, most, total, ...rest } = document;
  return {
    ...rest,
    ...(_id !== undefined && { _id: byValue(_id) }),
    ...(all !== undefined && { all: sorted(all) }),
    ...(Array.isArray(set) && { set: set.map(byValue).map(text).sort() }),
    ...(least !== undefined && { least: byValue(least) }),
    ...(most !== undefined && { most: byValue(most) }),
    ...(total !== undefined && { total: digits(total, 14) }),
  };
}

function aggregated(stages, results) {
  const names = stages.map((stage) => Object.keys(stage)[0]);
  const groups = names.includes('$group');
  // A $sort by an _id that an earlier stage removed has no effect.
  if (names.includes('$lookup')) for (const one of results) if (Array.isArray(one.found)) one.found = sorted(one.found);
  return sorted(groups ? results.map(grouped) : results);
}

const counts = ({ matchedCount, modifiedCount, upsertedId }) => ({ matchedCount, modifiedCount, upsertedId });

async function bulk(collection, { steps, ordered }, at) {
  const models = steps.map((step) => {
    const { filter, change, upsert, arrayFilters, replacement } = step;
    if (step.kind === 'insert') return { insertOne: { document: { ...step.document } } };
    if (step.kind === 'replaceOne') return { replaceOne: { filter, replacement, upsert } };
    if (step.kind.startsWith('delete')) return { [step.kind]: { filter } };
    return { [step.kind]: { filter, update: change, upsert: upsert === true, ...(arrayFilters && { arrayFilters }) } };
  });
  const shown = (result, errors) => ({
    inserted: result.insertedCount,
    matched: result.matchedCount,
    modified: result.modifiedCount,
    deleted: result.deletedCount,
    upserted: result.upsertedIds,
    errors,
  });
  try {
    return shown(await collection.bulkWrite(models, { ordered, ...at }), []);
  } catch (error) {
    if (!error.result || at.session) throw error;
    return shown(
      error.result,
      error.writeErrors.map(({ index, code }) => ({ index, code })),
    );
  }
}

/** The gateway of the second engine reports a failure although its engine succeeded. So this checks whether the index is gone. */
async function drop(collection, name) {
  try {
    await collection.dropIndex(name);
  } catch (error) {
    const left = error.message === 'dropIndexes failed' ? await collection.listIndexes().toArray() : undefined;
    if (!left || left.some((index) => index.name === name)) throw error;
  }
  return 'dropped';
}

/** Executes one operation on a collection and returns its result. */
async function perform(collection, step, at) {
  const { filter, sort, projection, upsert, returnDocument, arrayFilters, change, replacement } = step;
  const found = { sort, projection, upsert, returnDocument, ...(arrayFilters && { arrayFilters }), ...at };
  switch (step.kind) {
    case 'insert':
      return (await collection.insertOne({ ...step.document }, at)).acknowledged;
    case 'updateOne':
    case 'updateMany':
      return counts(
        await collection[step.kind](filter, change, {
          upsert: upsert === true,
          ...(arrayFilters && { arrayFilters }),
          ...at,
        }),
      );
    case 'replaceOne':
      return counts(await collection.replaceOne(filter, replacement, { upsert, ...at }));
    case 'deleteOne':
    case 'deleteMany':
      return (await collection[step.kind](filter, at)).deletedCount;
    case 'findOneAndUpdate':
      return collection.findOneAndUpdate(filter, change, found);
    case 'findOneAndReplace':
      return collection.findOneAndReplace(filter, replacement, found);
    case 'findOneAndDelete':
      return collection.findOneAndDelete(filter, { sort, projection, ...at });
    case 'bulkWrite':
      return bulk(collection, step, at);
    case 'find':
      return collection.find(filter, { projection, sort, skip: step.skip, limit: step.limit, ...at }).toArray();
    case 'distinct':
      return (await collection.distinct(step.key, filter, at)).map((value) => text(byValue(value))).sort();
    case 'count':
      return collection.countDocuments(filter, at);
    case 'aggregate':
      return aggregated(
        step.stages,
        await collection.aggregate(named(step.stages, collection.collectionName), at).toArray(),
      );
    case 'createIndex':
      return collection.createIndexes([step.spec]);
    case 'listIndexes':
      return (await collection.indexes(at))
        .filter(({ name }) => name !== own)
        .map(({ name, key, unique, sparse }) => ({ name, key, unique, sparse }));
    case 'dropIndex':
      return drop(collection, step.name);
    case 'transaction':
      return transact(collection, step);
    case 'interleaved':
      return interleave(collection, step);
    default:
      throw new Error(`unknown kind of step: ${step.kind}`);
  }
}

/** The stages; a `$lookup` joins the collection itself. */
const named = (stages, name) =>
  stages.map((stage) => (stage.$lookup ? { $lookup: { ...stage.$lookup, from: name } } : stage));

/** The result of the operation as text, or its error code. */
export async function outcome(collection, step, at = {}) {
  try {
    return text(await perform(collection, step, at));
  } catch (error) {
    if (error.code === undefined) return `error ${error.message}`;
    const transient = error.hasErrorLabel?.('TransientTransactionError') ? ' transient' : '';
    return `error ${error.code}${transient}`;
  }
}

const failed = (result) => result.startsWith('error');

async function transact(collection, { steps, commit }) {
  const session = collection.client.startSession();
  const results = [];
  try {
    session.startTransaction();
    for (const step of steps) {
      results.push(await outcome(collection, step, { session }));
      if (failed(results.at(-1))) break;
    }
    if (commit && !failed(results.at(-1))) await session.commitTransaction();
    else await session.abortTransaction();
  } finally {
    await session.endSession();
  }
  return results;
}

/** Two transactions whose steps alternate. One that fails is over. One that is open at the end is rolled back. */
async function interleave(collection, { turns }) {
  const sessions = [collection.client.startSession(), collection.client.startSession()];
  const over = [false, false];
  const results = [];
  try {
    for (const { who, step, end } of turns) {
      const session = sessions[who];
      if (over[who]) continue;
      if (!session.inTransaction()) {
        if (end) continue;
        session.startTransaction();
      }
      if (!step) {
        over[who] = true;
        results.push(
          `${who} ${end} ${await settled(() => (end === 'commit' ? session.commitTransaction() : session.abortTransaction()))}`,
        );
        continue;
      }
      const result = await outcome(collection, step, { session });
      results.push(`${who} ${result}`);
      if (!failed(result)) continue;
      over[who] = true;
      await session.abortTransaction();
    }
    for (const session of sessions) if (session.inTransaction()) await session.abortTransaction();
  } finally {
    for (const session of sessions) await session.endSession();
  }
  return results;
}

async function settled(run) {
  try {
    await run();
    return 'done';
  } catch (error) {
    return `error ${error.code}`;
  }
}
