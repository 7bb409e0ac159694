/**
 * Repeats work in rounds. Each round begins a fixed time after the end of the previous one, so the rounds of one process never
 * overlap. When a round fails, the next one still takes place. The timer does not keep the process alive.
 */
export class Rounds {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  /** @param onFailure gets the error of a round that failed; must not throw */
  constructor(
    private readonly intervalMs: number,
    private readonly work: () => Promise<void>,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  start(): void {
    this.timer = setTimeout(() => {
      this.running = this.work()
        .catch(this.onFailure)
        .finally(() => this.timer?.refresh());
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
}
