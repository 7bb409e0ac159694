import { type View } from '../storage/disk.js';
import { type Candidate, type Plan } from './candidate.js';

/** How many entries of a plan are counted at most. */
const probe = 101;

/**
 * The plan that reads the fewest entries. Those with few ranges are counted first, and of these the one with the most bounded fields:
 * it often leaves little to count.
 */
export function cheapest(view: View, candidates: readonly Candidate[]): Plan | undefined {
  let best: Plan | undefined;
  let least = Infinity;
  const order = candidates.toSorted((a, b) => rangesOf(a.plan) - rangesOf(b.plan) || b.bounded - a.bounded);
  for (const { plan, bounded } of order) {
    const found = cost(view, plan, bounded, least);
    if (found < least) [best, least] = [plan, found];
  }
  return best;
}

/**
 * About how many entries a plan reads. A plan that reads many costs more than one that reads few, and still more when it must
 * sort. Counting ends where the plan cannot cost less than `least` any more.
 */
function cost(view: View, plan: Plan, bounded: number, least: number): number {
  const read = readsOf(view, plan, Math.min(probe, Math.floor(least) + 1));
  if (read >= probe) return probe + (plan.sorted ? 0 : 1000) + (bounded === 0 ? 500 : 0) - bounded / 100;
  return read + (plan.sorted ? 0 : 0.5);
}

const rangesOf = ({ ranges, either = [] }: Plan): number =>
  either.reduce((count, plan) => count + rangesOf(plan), ranges.length);

/** How many entries a plan reads. An empty range costs as much as one entry. Counts up to `most`. */
function readsOf(view: View, { ranges, either = [] }: Plan, most: number): number {
  let read = 0;
  for (const { from, to } of ranges) {
    if (read >= most) break;
    read += Math.max(1, view.range(from, to, false, most - read).length);
  }
  for (const plan of either) {
    if (read >= most) break;
    read += readsOf(view, plan, most - read);
  }
  return read;
}
