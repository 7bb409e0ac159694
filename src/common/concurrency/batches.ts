/** How many calls a batch has at most. */
const MAX_CALLS = 100;

interface Batch {
  readonly items: unknown[];
  readonly results: Promise<readonly unknown[]>;
}

const nextTurn = (): Promise<void> => new Promise((resume) => setImmediate(resume));

/**
 * Gathers the calls of one turn of the event loop, so that the work for all of them is done at once (batching). A process that has
 * little to do works on each call alone, and loses no time. The more it has to do, the more calls come in one turn.
 */
export class Batches {
  private readonly open = new Map<string, Batch>();

  /**
   * Adds a call to the batch of this turn with the same key.
   * @param key must be the same only for calls with the same `work`
   * @param work is called after the turn, with the items of all calls of the batch, and returns their results in the same order. The
   * first call gives it
   * @throws the error of the work, for each call of the batch
   */
  async run<Item, Result>(
    key: string,
    item: Item,
    work: (items: readonly Item[]) => Promise<readonly Result[]>,
  ): Promise<Result> {
    const batch = this.open.get(key) ?? this.start(key, work as (items: readonly unknown[]) => Promise<unknown[]>);
    const place = batch.items.push(item) - 1;
    if (batch.items.length === MAX_CALLS) this.open.delete(key);
    return (await batch.results)[place] as Result;
  }

  private start(key: string, work: (items: readonly unknown[]) => Promise<readonly unknown[]>): Batch {
    const items: unknown[] = [];
    const results = nextTurn().then(() => {
      if (this.open.get(key) === batch) this.open.delete(key);
      return work(items);
    });
    const batch = { items, results };
    this.open.set(key, batch);
    return batch;
  }
}
