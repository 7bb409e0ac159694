import { Double } from 'bson';
import { type Doc, isDoc, type Value } from '../../src/values/types.js';

/** As a driver sends it: a number that is not whole is a double. */
function valueOf(plain: unknown): Value {
  if (Array.isArray(plain)) return plain.map(valueOf);
  if (typeof plain === 'object' && plain !== null && !(plain instanceof Date) && !('_bsontype' in plain))
    return new Map(Object.entries(plain).map(([name, value]) => [name, valueOf(value)]));
  return typeof plain === 'number' && !Number.isInteger(plain) ? new Double(plain) : (plain as Value);
}

/** A plain object as a document that the store works with. */
export const docOf = (plain: object): Doc => {
  const value = valueOf(plain);
  return isDoc(value) ? value : new Map();
};
