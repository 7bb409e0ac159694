/**
 * Calls `work` for each item, for at most `count` items at once, and waits for all of them.
 * @param work must not reject: an item that fails must not keep the others from their turn
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
  await Promise.all(Array.from({ length: count }, worker));
}
