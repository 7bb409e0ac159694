import { type Doc, isDoc, type Value } from '../../src/values/types.js';

const valueOf = (plain: unknown): Value =>
  Array.isArray(plain)
    ? plain.map(valueOf)
    : typeof plain === 'object' && plain !== null
      ? new Map(Object.entries(plain).map(([name, value]) => [name, valueOf(value)]))
      : (plain as Value);

/** A plain object as a document that the store works with. */
export const docOf = (plain: object): Doc => {
  const value = valueOf(plain);
  return isDoc(value) ? value : new Map();
};
