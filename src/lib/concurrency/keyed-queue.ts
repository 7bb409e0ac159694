import { Semaphore } from './semaphore.js';

/** Runs work with the same key in the order of arrival, one after the other. Work with different keys does not wait. */
export class KeyedQueue {
  private readonly queues = new Map<string, Semaphore>();

  /**
   * @param maxWaiting how many may wait for one key
   * @param rejection the error when too many wait
   */
  constructor(
    private readonly maxWaiting: number,
    private readonly rejection: () => Error,
  ) {}

  /** @throws `rejection` when too many wait for the key already */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const queue = this.queues.get(key) ?? new Semaphore(1, this.maxWaiting, this.rejection);
    this.queues.set(key, queue);
    try {
      return await queue.run(work);
    } finally {
      if (queue.isIdle) this.queues.delete(key);
    }
  }

  /** How many keys have work. */
  get size(): number {
    return this.queues.size;
  }
}
