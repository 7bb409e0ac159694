import { inParallel } from '../../lib/concurrency/in-parallel.js';
import { type LogIds, withLogIds } from '../logging/log-context.js';
import { type Job } from './job.js';

/** How many items a process claims at once, unless the work says otherwise. */
const BATCH_SIZE = 200;
/** How many items `work` gets at most. */
const GROUP_SIZE = 50;
const PARALLEL_GROUPS = 4;

/** At least one item. */
export type Group<Item> = readonly [Item, ...Item[]];

/** Work on items that a process claims, so that no other process works on them. */
export interface ClaimedWork<Item> {
  /** How many items are claimed at once: so few that their work ends within the time of the claim. */
  readonly batchSize?: number;
  /** For how long batches are claimed, in milliseconds; by default until nothing is left. What is left then waits for the next round. */
  readonly claimMs?: number;
  /** Claims at most this many items for a limited time. */
  readonly claim: (limit: number) => Promise<readonly Item[]>;
  /** Items with the same name can be worked on together. */
  readonly groupOf: (item: Item) => string;
  /** What the lines of the log about an item name. */
  readonly idsOf: (item: Item) => LogIds;
  /** Does the work of some items of one group in one transaction. */
  readonly work: (group: Group<Item>) => Promise<void>;
  /** What to do about an item whose work failed alone. It stays claimed until its time is over. Must not throw. */
  readonly onFailure: (item: Item, error: unknown) => Promise<void> | void;
}

/**
 * Does the work of all items that can be claimed, or of as many as it can until the job is stopped. When the work of a group fails,
 * each of its items is worked on alone, so that one item cannot stop the others.
 * @throws the first error of an item whose work failed alone, after the others are done
 */
export async function workOff<Item>(job: Pick<Job, 'isStopped'>, todo: ClaimedWork<Item>): Promise<void> {
  const errors: unknown[] = [];
  const workOn = async (group: Group<Item>): Promise<void> => {
    if (job.isStopped) return;
    try {
      await withLogIds(sharedIds(group.map(todo.idsOf)), () => todo.work(group));
    } catch (error) {
      const [first, ...others] = group;
      if (others.length > 0) {
        for (const item of group) await workOn([item]);
      } else {
        errors.push(error);
        await withLogIds(todo.idsOf(first), async () => todo.onFailure(first, error));
      }
    }
  };
  const batchSize = todo.batchSize ?? BATCH_SIZE;
  const claimUntil = performance.now() + (todo.claimMs ?? Infinity);
  let claimed: readonly Item[];
  do {
    claimed = await todo.claim(batchSize);
    await inParallel(groupsOf(claimed, todo.groupOf), PARALLEL_GROUPS, workOn);
  } while (claimed.length === batchSize && !job.isStopped && performance.now() < claimUntil);
  if (errors.length > 0) throw errors[0];
}

/** Does several kinds of work at once, none of which waits for another one. @throws the first error, after all have ended */
export async function workOffTogether<Item>(
  job: Pick<Job, 'isStopped'>,
  todos: readonly ClaimedWork<Item>[],
): Promise<void> {
  const results = await Promise.allSettled(todos.map((todo) => workOff(job, todo)));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

function groupsOf<Item>(items: readonly Item[], nameOf: (item: Item) => string): Group<Item>[] {
  const groups: [Item, ...Item[]][] = [];
  const open = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const name = nameOf(item);
    const group = open.get(name);
    if (group !== undefined && group.length < GROUP_SIZE) group.push(item);
    else {
      const next: [Item, ...Item[]] = [item];
      groups.push(next);
      open.set(name, next);
    }
  }
  return groups;
}

/** The ids that all items have, such as their shop. */
function sharedIds([first = {}, ...others]: readonly LogIds[]): LogIds {
  const shared = Object.entries(first).filter(([name, id]) => others.every((ids) => ids[name as keyof LogIds] === id));
  return Object.fromEntries(shared);
}
