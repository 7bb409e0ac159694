/** Lets a few calls run at the same time and a limited number wait. More calls are rejected. */
export class Semaphore {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /** @param rejection the error of a call when too many wait */
  constructor(
    private readonly concurrency: number,
    private readonly maxWaiting = Infinity,
    private readonly rejection = (): Error => new Error('Too many calls wait'),
  ) {}

  /** Whether nothing runs and nothing waits. */
  get isIdle(): boolean {
    return this.running === 0;
  }

  /** @throws `rejection` when too many wait already */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.running < this.concurrency) this.running++;
    else if (this.waiting.length >= this.maxWaiting) throw this.rejection();
    // The call that ends gives its slot to this one, so `running` does not change.
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
