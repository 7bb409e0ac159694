/**
 * Work that comes round: each round begins an interval after the last one ended, so two of one process never overlap. A round
 * that fails is told and followed by the next one. The timer keeps no process alive.
 */
export class Rounds {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  /** @param onFailure hears why a round failed; must not throw */
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

  /** Whether a round that is under way should come to its end. */
  get isStopped(): boolean {
    return this.timer === undefined;
  }

  /** Lets no round begin any more, and waits for the one that is under way. */
  async stop(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.running;
  }
}
