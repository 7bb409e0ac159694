import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type Logger } from 'pino';
import { backoff } from '../common/jobs/backoff.js';
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
    await this.startOne(first);
    await Promise.all(Array.from({ length: this.options.size - 1 }, () => this.startOne()));
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

  private async startOne(more: Readonly<Record<string, string>> = {}): Promise<void> {
    const worker = cluster.fork({ ...this.options.variables, ...more });
    const { pid } = worker.process;
    this.workers.add(worker);
    const exited = once(worker, 'exit').then(() => this.workers.delete(worker));
    const listens = await Promise.race([once(worker, 'listening').then(() => true), exited.then(() => false)]);
    if (!listens) throw new Error(`The worker ${pid} ended before it listened`);
    this.options.logger.info({ worker: pid }, 'a worker listens');
    void exited.then(() => this.ended(worker));
  }

  /** Starts another worker for one that was not told to end. Tries until one listens. */
  private async ended(worker: Worker): Promise<void> {
    const { pid } = worker.process;
    if (this.leaving.delete(worker)) return;
    for (let tries = 1; !this.isStopping; tries++) {
      this.options.logger.error({ worker: pid }, 'a worker has died, another one starts');
      const error = await this.startOne().then(
        () => null,
        (reason: unknown) => reason,
      );
      if (error === null) return;
      await pause(backoff(tries, SECOND_MS, MINUTE_MS));
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
