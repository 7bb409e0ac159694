import { trusted } from 'mongoose';
import { type PageRequest } from '../../lib/paging/page.js';
import { readTimePosition } from '../../lib/paging/time-position.js';

/**
 * The part of a filter that starts a page of a list in the order of ids. Sort by `byId`, or by `{ _id: -1 }` where the newest is always
 * first, read `limit + 1` records, and give them to `Page.of`.
 */
export function afterIdOf({ after, oldestFirst = false }: PageRequest): { _id?: { $lt: string } | { $gt: string } } {
  if (after === null) return {};
  return { _id: oldestFirst ? trusted({ $gt: after }) : trusted({ $lt: after }) };
}

export const byId = ({ oldestFirst = false }: PageRequest): { readonly _id: 1 | -1 } => ({ _id: oldestFirst ? 1 : -1 });

/** How a list is sorted by the time of creation. Its index ends with these fields, in one of the directions. */
export const BY_TIME = { oldestFirst: { createdAt: 1, _id: 1 }, newestFirst: { createdAt: -1, _id: -1 } } as const;

/**
 * The conditions that start a page of a list in the order of time. Sort by `BY_TIME`, read `limit + 1` records, and give them to
 * `Page.of` with `timePositionOf`. The first condition is a range of the index. The second one leaves out records of the same
 * millisecond that were shown.
 * @param field the time by which the list is sorted, of which a page position has the value
 */
export function afterTime({ after }: PageRequest, order: keyof typeof BY_TIME, field = 'createdAt'): object[] {
  if (after === null) return [];
  const { createdAt: at, id } = readTimePosition(after);
  const [since, behind] = order === 'oldestFirst' ? ['$gte', '$gt'] : ['$lte', '$lt'];
  const later = [{ [field]: trusted({ [behind]: at }) }, { _id: trusted({ [behind]: id }) }];
  return [{ [field]: trusted({ [since]: at }) }, { $or: later }];
}
