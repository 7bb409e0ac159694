import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import { type Logger } from 'pino';
import { describeError } from '../common/logging/logger.js';
import { DRAIN } from '../shutdown.js';
import { Restarts } from './restarts.js';

export interface WorkerPoolOptions {
  readonly size: number;
  /** Environment variables of each worker, besides those of this process. */
  readonly variables: Readonly<Record<string, string>>;
  /** How long a worker may take to end, in milliseconds. Then it is killed. */
  readonly endMs: number;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/** `leaving`: it was told to end. */
type State = 'starting' | 'listening' | 'leaving';

/** Keeps a number of processes of the service running. They listen on the same port and share its connections. */
export class WorkerPool {
  /** The workers whose processes have not ended. */
  private readonly workers = new Map<Worker, State>();
  private readonly restarts = new Restarts();
  private isStopping = false;
  private started: Promise<void> | null = null;
  /** Whether the start or `refill` starts workers now. */
  private isFilling = false;
  /** The renewal that runs now. */
  private renewal: Promise<void> | null = null;

  constructor(private readonly options: WorkerPoolOptions) {}

  /**
   * Starts the workers: the first one alone, so that the others find a database that is ready.
   * @param first more variables of the first worker, but not of one that replaces it
   * @throws Error when a worker ends before it listens
   */
  async start(first: Readonly<Record<string, string>> = {}): Promise<void> {
    this.started = this.startAll(first);
    await this.started;
  }

  /**
   * Replaces each worker, one at a time. The new one listens before the old one ends, so no request is lost. Waits for the start,
   * because it must not end the first worker before that one is ready.
   * @throws Error when a new worker ends before it listens; the old one then stays
   */
  async renew(): Promise<void> {
    this.renewal ??= this.renewAll().finally(() => {
      this.renewal = null;
    });
    await this.renewal;
  }

  /**
   * Ends the workers, one at a time. As long as there are others, they get the new connections. The last one reports that it is
   * not ready before it ends, as the only process of a service does. Kills those that do not end in time.
   */
  async stop(): Promise<void> {
    this.isStopping = true;
    for (const worker of this.workers.keys()) await this.end(worker);
  }

  /** Kills all workers at once. For the end of this process: without it a worker that hangs would run for ever. */
  kill(): void {
    for (const worker of this.workers.keys()) worker.process.kill('SIGKILL');
  }

  private async startAll(first: Readonly<Record<string, string>>): Promise<void> {
    const { size: workers, logger } = this.options;
    this.isFilling = true;
    await this.startOne(first);
    await Promise.all(Array.from({ length: workers - 1 }, () => this.startOne()));
    this.isFilling = false;
    if (!this.isStopping) logger.info({ workers }, 'all workers listen');
    // One can have died while the others started.
    void this.refill();
  }

  private async renewAll(): Promise<void> {
    await this.started;
    for (const worker of [...this.workers.keys()]) {
      if (this.isStopping) return;
      // It has died meanwhile. The one that replaces it is new.
      if (!this.workers.has(worker)) continue;
      await this.startOne();
      await this.end(worker);
    }
  }

  /**
   * Starts workers for those that have died, until there are enough. It runs whenever a worker ends, and it counts the workers
   * before each start. So a worker that a renewal has started meanwhile is enough, too.
   */
  private async refill(): Promise<void> {
    if (this.isFilling) return;
    this.isFilling = true;
    while (this.isShort()) {
      await pause(this.restarts.waitMs());
      if (this.isShort()) await this.startAnother();
    }
    this.isFilling = false;
  }

  private isShort(): boolean {
    const staying = [...this.workers.values()].filter((state) => state !== 'leaving');
    return !this.isStopping && staying.length < this.options.size;
  }

  private async startAnother(): Promise<void> {
    try {
      await this.startOne();
    } catch (error) {
      this.restarts.died(0);
      this.options.logger.error(describeError(error), 'a worker could not be started');
    }
  }

  /**
   * Starts a worker and waits until it listens. Does nothing when the pool stops, and accepts that the pool ends it before.
   * @throws Error when it ends on its own before it listens
   */
  private async startOne(more: Readonly<Record<string, string>> = {}): Promise<void> {
    if (this.isStopping) return;
    const startedAt = performance.now();
    const worker = this.fork(more);
    const { pid } = worker.process;
    await new Promise<void>((resolve, reject) => {
      worker.once('listening', () => {
        this.listens(worker);
        resolve();
      });
      worker.once('exit', () => {
        const state = this.workers.get(worker);
        this.workers.delete(worker);
        if (state === 'starting') reject(new Error(`The worker ${pid} ended before it listened`));
        if (state === 'listening') this.died(worker, performance.now() - startedAt);
        resolve();
        void this.refill();
      });
    });
  }

  private fork(more: Readonly<Record<string, string>>): Worker {
    const { variables, logger } = this.options;
    const worker = cluster.fork({ ...variables, ...more });
    // Node reports here when it cannot give a connection to a worker that has just died. Nobody else handles these errors, so they
    // would end this process and all workers with it.
    worker.on('error', (error) => {
      logger.warn(describeError(error), 'a worker cannot be reached');
    });
    // Without a process there is no event of its end.
    if (worker.process.pid === undefined) throw new Error('The process of a worker could not be made');
    this.workers.set(worker, 'starting');
    return worker;
  }

  private listens(worker: Worker): void {
    if (this.workers.get(worker) === 'starting') this.workers.set(worker, 'listening');
    this.options.logger.info({ worker: worker.process.pid }, 'a worker listens');
  }

  private died(worker: Worker, livedMs: number): void {
    if (this.isStopping) return;
    this.restarts.died(livedMs);
    this.options.logger.error({ worker: worker.process.pid }, 'a worker has died, another one starts');
  }

  /** Waits until a worker has ended, and tells it to end if that has not happened yet. */
  private async end(worker: Worker): Promise<void> {
    const state = this.workers.get(worker);
    if (state === undefined) return;
    const exited = new Promise((resolve) => worker.once('exit', resolve));
    if (state !== 'leaving') this.tellToEnd(worker, state);
    await exited;
  }

  private tellToEnd(worker: Worker, state: State): void {
    this.workers.set(worker, 'leaving');
    this.killLater(worker);
    // It can stop at once when others get its new connections. A worker that still loads does not know the message.
    const canDrain = state === 'listening' && [...this.workers.values()].includes('listening');
    if (!canDrain) worker.process.kill('SIGTERM');
    // Whether it arrives does not matter: a worker that cannot be reached has ended, or is killed later. Without a function that
    // takes the error, Node would report it as an event.
    else worker.send(DRAIN, () => undefined);
  }

  /** A worker has a time limit of its own, but it cannot keep it when its event loop stands still. */
  private killLater(worker: Worker): void {
    const patience = setTimeout(() => {
      this.options.logger.error({ worker: worker.process.pid }, 'a worker hangs and is killed');
      worker.process.kill('SIGKILL');
    }, this.options.endMs);
    worker.once('exit', () => {
      clearTimeout(patience);
    });
  }
}
