import { AppError } from '../errors/app-error.js';

/** Lets a few run at once and a bounded number wait; beyond that the work is refused rather than piled up. */
export class Semaphore {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly concurrency: number,
    private readonly maxWaiting: number,
  ) {}

  /** Whether nothing runs and nothing waits. */
  get isIdle(): boolean {
    return this.running === 0;
  }

  /** @throws AppError service_unavailable when too many wait already */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.running < this.concurrency) this.running++;
    else if (this.waiting.length >= this.maxWaiting) throw new AppError('service_unavailable');
    // The place is handed over by the one who leaves, so `running` does not change.
    else await new Promise<void>((enter) => this.waiting.push(enter));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }
}
