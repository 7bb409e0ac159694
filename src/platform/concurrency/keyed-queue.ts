import { Semaphore } from './semaphore.js';

/** Runs work with the same key one after the other, in the order of arrival. Work with different keys does not wait. */
export class KeyedQueue {
  private readonly queues = new Map<string, Semaphore>();

  /** @param maxWaiting how many may wait for one key */
  constructor(private readonly maxWaiting: number) {}

  /** @throws AppError service_unavailable when too many wait for the key already */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const queue = this.queues.get(key) ?? new Semaphore(1, this.maxWaiting);
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
