import { AbstractCursor, ChangeStream } from 'mongodb';
import { type Fields, isFields } from './format.js';

const bulkFields = [
  'insertedCount',
  'insertedIds',
  'matchedCount',
  'modifiedCount',
  'deletedCount',
  'upsertedCount',
  'upsertedIds',
];

const fromMap = (map: ReadonlyMap<unknown, unknown>): Fields =>
  Object.fromEntries([...map].map(([key, value]) => [String(key), resultOf(value)]));

/** What an operation of the driver returned, with the names of the format. */
export function resultOf(result: unknown): unknown {
  if (result instanceof AbstractCursor || result instanceof ChangeStream) return result;
  if (result instanceof Map) return fromMap(result);
  if (typeof result !== 'object' || result === null) return result;
  const fields = result as Fields;
  if ('insertResults' in fields)
    return Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, value instanceof Map ? fromMap(value) : value]),
    );
  if ('insertedCount' in fields && 'upsertedIds' in fields)
    return Object.fromEntries(bulkFields.map((name) => [name, fields[name]]));
  return isFields(result) && 'didUpsert' in result ? { ...result, didUpsert: undefined } : result;
}
