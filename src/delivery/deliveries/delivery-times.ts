import { SECOND_MS } from '../../lib/time/durations.js';
import { type DeliveryTime } from './delivery.types.js';

/** Of fewer deliveries, one slow evening would make the usual time. */
const FEWEST_FOR_MEDIAN = 20;

/** How many seconds purchases usually waited until they were delivered: the median, rounded up; null: too few to say. */
export function medianSecondsOf(times: readonly DeliveryTime[]): number | null {
  if (times.length < FEWEST_FOR_MEDIAN) return null;
  const waits = times.map(({ createdAt, deliveredAt }) => deliveredAt.getTime() - createdAt.getTime());
  const sorted = waits.sort((one, other) => one - other);
  // Of an even number the greater of the two in the middle: a promise is not better than what happened.
  return Math.ceil((sorted[Math.floor(sorted.length / 2)] ?? 0) / SECOND_MS);
}
