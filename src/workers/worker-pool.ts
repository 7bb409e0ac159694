import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type Logger } from 'pino';
import { backoff } from '../common/jobs/backoff.js';
import { describeError } from '../common/logging/logger.js';
import { MINUTE_MS, SECOND_MS } from '../common/time/durations.js';
import { DRAIN } from '../shutdown.js';

export interface WorkerPoolOptions {
  readonly size: number;
  /** Environment variables of each worker, besides those of this process. */
  readonly variables: Readonly<Record<string, string>>;
  readonly logger: Logger;
}

/** Keeps a number of processes of the service running. They listen on the same port and share its connections. */
export class WorkerPool {
  private readonly workers = new Set<Worker>();
  /** The workers that were told to end. */
  private readonly leaving = new Set<Worker>();
  private isStopping = false;
  /** The renewal that runs now. */
  private renewal: Promise<void> | null = null;

  constructor(private readonly options: WorkerPoolOptions) {}

  /**
   * Starts the workers: the first one alone, so that the others find a database that is ready.
   * @param first more variables of the first worker, but not of one that replaces it
   * @throws Error when a worker ends before it listens
   */
  async start(first: Readonly<Record<string, string>>): Promise<void> {
    const { size: workers, logger } = this.options;
    await this.startOne(first);
    await Promise.all(Array.from({ length: workers - 1 }, () => this.startOne()));
    if (!this.isStopping) logger.info({ workers }, 'all workers listen');
  }

  /** Replaces each worker, one at a time. The new one listens before the old one ends, so no request is lost. */
  async renew(): Promise<void> {
    this.renewal ??= this.renewAll().finally(() => {
      this.renewal = null;
    });
    await this.renewal;
  }

  /**
   * Ends the workers, one at a time. As long as there are others, they get the new connections. The last one reports that it is
   * not ready before it ends, as the only process of a service does.
   */
  async stop(): Promise<void> {
    this.isStopping = true;
    for (const worker of this.workers) await this.end(worker, this.workers.size === 1);
  }

  private async renewAll(): Promise<void> {
    for (const worker of [...this.workers]) {
      if (this.isStopping) return;
      await this.startOne();
      await this.end(worker, false);
    }
  }

  /** Does nothing when the pool stops, and accepts that it ends a worker which does not listen yet. */
  private async startOne(more: Readonly<Record<string, string>> = {}): Promise<void> {
    if (this.isStopping) return;
    const worker = cluster.fork({ ...this.options.variables, ...more });
    const { pid } = worker.process;
    this.workers.add(worker);
    const exited = once(worker, 'exit').then(() => this.workers.delete(worker));
    const listens = await Promise.race([once(worker, 'listening').then(() => true), exited.then(() => false)]);
    if (!listens) {
      if (this.leaving.delete(worker)) return;
      throw new Error(`The worker ${pid} ended before it listened`);
    }
    this.options.logger.info({ worker: pid }, 'a worker listens');
    void exited.then(() => this.ended(worker));
  }

  /** Starts another worker for one that was not told to end. Tries until one listens. */
  private async ended(worker: Worker): Promise<void> {
    if (this.leaving.delete(worker) || this.isStopping) return;
    const { logger } = this.options;
    logger.error({ worker: worker.process.pid }, 'a worker has died, another one starts');
    for (let tries = 1; ; tries++) {
      try {
        await this.startOne();
        return;
      } catch (error) {
        logger.error(describeError(error), 'a worker could not be started');
        await pause(backoff(tries, SECOND_MS, MINUTE_MS));
      }
    }
  }

  /** @param isLast whether no worker is left that gets its new connections */
  private async end(worker: Worker, isLast: boolean): Promise<void> {
    this.leaving.add(worker);
    if (worker.isDead()) return;
    const exited = once(worker, 'exit');
    if (isLast || !worker.isConnected()) worker.process.kill('SIGTERM');
    else worker.send(DRAIN);
    await exited;
  }
}
