/** The result of work that is done at most once in a time. Everybody who wants it meanwhile gets the same one, also an error. */
export class SharedResult<Result> {
  private latest: Promise<Result> | null = null;
  private startedAt = -Infinity;
  private isRunning = false;

  /** @param intervalMs how old a result may be, from when its work began */
  constructor(
    private readonly intervalMs: number,
    private readonly work: () => Promise<Result>,
  ) {}

  get(): Promise<Result> {
    const isFresh = this.isRunning || performance.now() - this.startedAt < this.intervalMs;
    return this.latest !== null && isFresh ? this.latest : this.renew();
  }

  private renew(): Promise<Result> {
    this.startedAt = performance.now();
    this.isRunning = true;
    const result = this.work().finally(() => (this.isRunning = false));
    this.latest = result;
    return result;
  }
}
