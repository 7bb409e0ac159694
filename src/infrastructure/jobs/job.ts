import { Logger } from '@nestjs/common';
import { inLogContext } from '../logging/log-context.js';
import { describeError } from '../logging/logger.js';
import { errorKind } from './error-kind.js';

/** What this process has done of a job. */
export interface JobState {
  readonly name: string;
  /** When the latest round ended without an error; null: none yet. */
  readonly lastFinishedAt: Date | null;
  /** When the latest round ended with an error; null: none yet. */
  readonly lastFailedAt: Date | null;
  /** What kind of error that was (`errorKind`); null: none yet. */
  readonly lastError: string | null;
  /** How many rounds have failed since the latest one that ended without an error. */
  readonly failuresInRow: number;
}

/**
 * Work in the background that repeats in rounds. Each round begins a fixed time after the end of the previous one, so the rounds
 * of one process never overlap. A round that fails is logged, and the next one still takes place. The timer does not keep the
 * process alive.
 */
export class Job {
  private readonly logger = new Logger('Jobs');
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private current: JobState;

  /** @param round does the work of one round; it should end early when the job `isStopped` */
  constructor(
    name: string,
    private readonly intervalMs: number,
    private readonly round: () => Promise<void>,
  ) {
    this.current = { name, lastFinishedAt: null, lastFailedAt: null, lastError: null, failuresInRow: 0 };
  }

  get state(): JobState {
    return this.current;
  }

  start(): void {
    this.timer = setTimeout(() => {
      const { name } = this.current;
      this.running = inLogContext({ job: name }, {}, () => this.runRound()).finally(() => this.timer?.refresh());
    }, this.intervalMs).unref();
  }

  /** Whether a running round should end early. */
  get isStopped(): boolean {
    return this.timer === undefined;
  }

  /** Starts no more rounds, and waits for the round that is running. */
  async stop(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.running;
  }

  private async runRound(): Promise<void> {
    try {
      await this.round();
      this.current = { ...this.current, lastFinishedAt: new Date(), failuresInRow: 0 };
    } catch (error) {
      const { name, failuresInRow } = this.current;
      this.logger.warn(`A round of the job ${name} failed. The next round tries again`, describeError(error));
      this.current = {
        ...this.current,
        lastFailedAt: new Date(),
        lastError: errorKind(error),
        failuresInRow: failuresInRow + 1,
      };
    }
  }
}
