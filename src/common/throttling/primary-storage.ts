import cluster, { type Worker } from 'node:cluster';
import { type ThrottlerStorage } from '@nestjs/throttler';
import { WindowStorage } from './window-storage.js';

type Counted = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** A worker asks the first process to count a request. The number finds who waits for the result. */
interface CountRequest {
  readonly countId: number;
  readonly key: string;
  readonly ttl: number;
  readonly limit: number;
}

interface CountResult {
  readonly countId: number;
  readonly counted: Counted;
}

/** Whether a message is one of these two. Others may use the same channel. */
const isAboutCounts = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'countId' in message;

/** Counts the requests of all workers, in the first process. */
export function countForWorkers(): void {
  const storage = new WindowStorage();
  cluster.on('message', (worker: Worker, message: unknown) => {
    if (!isAboutCounts(message)) return;
    const { countId, key, ttl, limit } = message as CountRequest;
    void storage.increment(key, ttl, limit).then((counted) => {
      // An error does not matter: only a worker that has died cannot be reached, and it needs no result. Without a function that
      // takes the error, Node would report it as an event, which ends this process when nobody handles it.
      worker.send({ countId, counted } satisfies CountResult, () => undefined);
    });
  });
}

/** The counters of a worker: those of the first process, so that all workers share the limits. */
export class PrimaryStorage implements ThrottlerStorage {
  private readonly waiting = new Map<number, (counted: Counted) => void>();
  private lastId = 0;

  constructor() {
    process.on('message', (message: unknown) => {
      if (!isAboutCounts(message)) return;
      const { countId, counted } = message as CountResult;
      this.waiting.get(countId)?.(counted);
      this.waiting.delete(countId);
    });
  }

  /** Without the first process there is no result, but then the worker ends, too. */
  increment(key: string, ttl: number, limit: number): Promise<Counted> {
    return new Promise((resolve) => {
      const countId = ++this.lastId;
      this.waiting.set(countId, resolve);
      process.send?.({ countId, key, ttl, limit } satisfies CountRequest);
    });
  }
}
