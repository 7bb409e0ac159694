import { trusted, Types } from 'mongoose';
import { type PageRequest } from '../common/http/page.js';

/**
 * The part of a filter that starts a page of a list, newest first. Sort by `{ _id: -1 }`, read `limit + 1` records, and give
 * them to `Page.of`.
 */
export function olderThan({ after }: PageRequest): { _id?: { $lt: Types.ObjectId } } {
  return after === null ? {} : { _id: trusted({ $lt: new Types.ObjectId(after) }) };
}
