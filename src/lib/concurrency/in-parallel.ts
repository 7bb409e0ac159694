/**
 * Calls `work` for each item, for at most `count` items at once, and waits until all calls have ended. Each failed item
 * lowers that number by one. So some failures do not stop the other items, but after `count` failures no further item
 * begins: what all of them need, such as the database, is probably down. To go on would only wait for one time limit
 * after the other, and would send messages whose sending nobody can record.
 * @throws one of the errors of `work`
 */
export async function inParallel<Item>(
  items: Iterable<Item>,
  count: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const shared = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = shared.next(); next.done !== true; next = shared.next()) await work(next.value);
  };
  const results = await Promise.allSettled(Array.from({ length: count }, worker));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
