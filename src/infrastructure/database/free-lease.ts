import { trusted } from 'mongoose';

/**
 * The condition on `leasedUntil` of a lease that nobody holds. It has ended, or it ends so late that it was taken before the clock was
 * turned back: more than one lease after a new one would, so that the clocks of two machines may differ by that much.
 * @param until when the new lease would end
 */
export function freeLease(now: Date, until: Date): { $or: { leasedUntil: { $lte: Date } | { $gt: Date } }[] } {
  const latest = new Date(until.getTime() + (until.getTime() - now.getTime()));
  return { $or: [{ leasedUntil: trusted({ $lte: now }) }, { leasedUntil: trusted({ $gt: latest }) }] };
}
