interface RunningRead {
  readonly result: Promise<unknown>;
  /** The read that follows it, for those who came while it ran. */
  next: Promise<unknown> | null;
}

/**
 * Lets callers who want the same share a read (request coalescing). Of each read, one runs at a time. Who comes while it runs does
 * not get its result, but that of the next one, which begins when it ends. So every result was read after its caller asked for it,
 * exactly as if each caller had read alone: nothing is cached, and what was changed before a request is seen by it.
 */
export class SharedReads {
  private readonly running = new Map<string, RunningRead>();

  /**
   * @param key must be the same only for reads that return the same
   * @param read is called now, later, or not at all. Its result belongs to several callers: nobody may change it
   * @throws the error of the read. It is also that of those who wait for the next read, so that a database that is down makes
   * nobody wait twice
   */
  run<Result>(key: string, read: () => Promise<Result>): Promise<Result> {
    const running = this.running.get(key);
    if (running === undefined) return this.start(key, read);
    running.next ??= running.result.then(() => this.start(key, read));
    return running.next as Promise<Result>;
  }

  private start<Result>(key: string, read: () => Promise<Result>): Promise<Result> {
    const result = read();
    const running: RunningRead = { result, next: null };
    this.running.set(key, running);
    const end = (): void => {
      if (this.running.get(key) === running) this.running.delete(key);
    };
    result.then(() => {
      if (running.next === null) end();
    }, end);
    return result;
  }

  /** How many different reads are running. */
  get size(): number {
    return this.running.size;
  }
}
