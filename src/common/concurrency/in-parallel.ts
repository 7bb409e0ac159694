/**
 * Calls `work` for each item, for at most `count` items at once, and waits until all calls have ended. A failed item does not
 * stop the others, unless `count` items fail.
 * @throws the first error of `work`
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
