import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** What an agent can report as the end of an attempt. */
export type Result = 'delivered' | 'handed_over' | 'failed' | 'uncertain' | 'released';

export interface LeasedName {
  readonly serverId: string;
  readonly deliveryId: string;
  readonly attempt: number;
  readonly run: number;
}

/**
 * One line of the journal. `leased`: nothing was sent. `begun`: the command with this number is sent next. `ran`: it was answered. `saved`: the game
 * has saved. `result`: what will be reported. `reported`: the shop knows it.
 */
export type Entry = LeasedName &
  (
    | { readonly mark: 'leased' | 'saved' | 'reported' }
    | { readonly mark: 'begun' | 'ran'; readonly command: number }
    | { readonly mark: 'result'; readonly status: Result; readonly output: string }
  );

/** How many results are kept after they were reported, for deliveries that come again. */
const MAX_KEPT = 10_000;

const runOf = ({ deliveryId, run }: LeasedName): string => `${deliveryId}:${run}`;
const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && 'mark' in value && 'deliveryId' in value;

/**
 * What the agent has done, in a file that survives a power failure: each line is on the disk before the next step. Deliveries are named by
 * `deliveryId:run`, because a redelivery keeps the id.
 */
export class Journal {
  private readonly newest = new Map<string, Entry>();
  /** The results by run, also of those that were reported. */
  private readonly results = new Map<string, Result>();
  private readonly file: number;

  constructor(path: string) {
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    for (const line of text.split('\n')) this.read(line);
    const begin = [...this.results].slice(-MAX_KEPT).map(([run, status]) => JSON.stringify({ run, status }));
    const open = this.open().map((entry) => JSON.stringify(entry));
    // What is over is dropped. The new file is complete before it replaces the old one.
    const next = openSync(`${path}.next`, 'w', 0o600);
    writeSync(next, [...begin, ...open, ''].join('\n'));
    fsyncSync(next);
    closeSync(next);
    renameSync(`${path}.next`, path);
    syncFolder(path);
    this.file = openSync(path, 'a', 0o600);
  }

  /** Adds entries, and returns when they are on the disk. */
  add(...entries: readonly Entry[]): void {
    if (entries.length === 0) return;
    writeSync(this.file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    fsyncSync(this.file);
    for (const entry of entries) this.apply(entry);
  }

  /** The newest entry of each delivery that the shop does not know the result of. */
  open(): Entry[] {
    return [...this.newest.values()];
  }

  /** The result of this run of a delivery in an earlier attempt; undefined: it never had one here. */
  resultOf(of: LeasedName): Result | undefined {
    return this.results.get(runOf(of));
  }

  close(): void {
    closeSync(this.file);
  }

  private read(line: string): void {
    try {
      const value = JSON.parse(line) as unknown;
      if (isEntry(value)) this.apply(value);
      else if (typeof value === 'object' && value !== null && 'run' in value && 'status' in value)
        this.results.set(String(value.run), value.status as Result);
    } catch {
      // An empty line, or one that was being written when the machine stopped: the step that it announces did not happen.
    }
  }

  private apply(entry: Entry): void {
    const run = runOf(entry);
    if (entry.mark === 'reported') this.newest.delete(run);
    else this.newest.set(run, entry);
    // What was released has not run.
    if (entry.mark === 'result' && entry.status !== 'released') this.results.set(run, entry.status);
  }
}

/** A rename is on the disk once its folder is. Windows has no such call, and needs none. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
}
