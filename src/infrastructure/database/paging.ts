import { trusted } from 'mongoose';
import { LIST_POSITIONS } from '../../lib/paging/numbered-position.js';
import { type PageRequest } from '../../lib/paging/page.js';
import { readTimePosition } from '../../lib/paging/time-position.js';

/**
 * The part of a filter that starts a page of a list, newest first. Sort by `{ _id: -1 }`, read `limit + 1` records, and give
 * them to `Page.of`.
 */
export function olderThan({ after }: PageRequest): { _id?: { $lt: string } } {
  return after === null ? {} : { _id: trusted({ $lt: after }) };
}

/** How a list in the order of its positions is sorted. Its index ends with these fields. */
export const BY_POSITION = { position: 1, _id: -1 } as const;

/**
 * The part of a filter that starts a page of a list in the order of its positions. Sort by `BY_POSITION`, read `limit + 1`
 * records, and give them to `Page.of` with `listPositionOf`.
 */
export function afterPosition({ after }: PageRequest): object {
  if (after === null) return {};
  const { number: position, id } = LIST_POSITIONS.read(after);
  const shown = { position, _id: trusted({ $gte: id }) };
  return { position: trusted({ $gte: position }), $nor: [shown] };
}

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
