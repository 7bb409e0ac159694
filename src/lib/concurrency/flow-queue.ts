/**
 * What one caller has waiting, in flows. The flows are served in turns, and each one in the order of arrival: a long flow does not hold up
 * the others.
 */
export class FlowQueue<Entry extends { readonly flow: string }> {
  /** In the order of their turns. None is empty. */
  private readonly flows = new Map<string, Entry[]>();
  private size = 0;

  get length(): number {
    return this.size;
  }

  lengthOf(flow: string): number {
    return this.flows.get(flow)?.length ?? 0;
  }

  push(entry: Entry): void {
    const entries = this.flows.get(entry.flow);
    if (entries === undefined) this.flows.set(entry.flow, [entry]);
    else entries.push(entry);
    this.size++;
  }

  /** Removes the entry whose turn it is. */
  shift(): Entry | undefined {
    const next = this.flows.entries().next().value;
    if (next === undefined) return undefined;
    const [flow, entries] = next;
    const entry = entries.shift();
    this.size--;
    // To the end of the turns.
    this.flows.delete(flow);
    if (entries.length > 0) this.flows.set(flow, entries);
    return entry;
  }

  /** The latest entry of the longest flow. It stays in the queue. */
  last(): Entry | undefined {
    let longest: readonly Entry[] = [];
    for (const entries of this.flows.values()) if (entries.length > longest.length) longest = entries;
    return longest.at(-1);
  }

  /** Removes the entry that matches. */
  take(matches: (entry: Entry) => boolean): Entry | undefined {
    for (const [flow, entries] of this.flows) {
      const index = entries.findIndex(matches);
      if (index < 0) continue;
      this.size--;
      if (entries.length === 1) this.flows.delete(flow);
      return entries.splice(index, 1)[0];
    }
    return undefined;
  }
}
