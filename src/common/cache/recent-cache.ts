const MAX_ENTRIES = 1_000;

/** Remembers recent answers for a while. Bounded; the oldest entry goes first. */
export class RecentCache<Value> {
  private readonly entries = new Map<string, { readonly value: Value; readonly at: number }>();

  constructor(private readonly lifetimeMs: number) {}

  /** Remembers a value; null forgets it. */
  put(key: string, value: Value | null): void {
    this.entries.delete(key);
    if (value === null) return;
    this.entries.set(key, { value, at: Date.now() });
    if (this.entries.size > MAX_ENTRIES) {
      const [oldest] = this.entries.keys();
      if (oldest !== undefined) this.entries.delete(oldest);
    }
  }

  get(key: string): Value | undefined {
    const entry = this.entries.get(key);
    return entry !== undefined && Date.now() - entry.at <= this.lifetimeMs ? entry.value : undefined;
  }
}
