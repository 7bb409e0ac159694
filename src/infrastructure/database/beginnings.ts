import { type QueryFilter, trusted } from 'mongoose';
import { searchWordsOf } from '../../lib/strings/search-words.js';
import { oneOf } from './one-of.js';

/** The largest code point: every string that begins with a prefix sorts before the prefix followed by it. */
const LAST_CHARACTER = '\u{10FFFF}';

/** The strings that begin with another one: a range of an index. @param after only those behind this string */
export function beginningWith(beginning: string, after?: string): { $lt: string } {
  const end = { $lt: beginning + LAST_CHARACTER };
  return trusted(after === undefined ? { $gte: beginning, ...end } : { $gt: after, ...end });
}

/** A record with the words that a search finds (`searchWordsOf`). Its index: `{ shopId: 1, searchWords: 1 }`. */
export interface Searchable {
  searchWords: string[];
}

/** The field of a schema. No read returns it: it only repeats other fields. */
export const SEARCH_WORDS = { type: [String], required: true, select: false } as const;

/** As `findsWords`, for the records of a collection. */
export function withWords<Record extends Searchable>(q: string): QueryFilter<Record>[] {
  const words = searchWordsOf(q);
  const conditions = words.map((word) => ({ searchWords: trusted({ $elemMatch: beginningWith(word) }) }));
  return words.length === 0 ? [{ searchWords: oneOf([]) }] : conditions;
}
