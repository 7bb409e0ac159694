import { type Cursors } from './commands/cursors.js';
import { type Engine } from './engine.js';
import { Blocked } from './errors.js';
import { findRows, type Row } from './planner/scan.js';
import { unlimited } from './query/work.js';
import { type Collection } from './storage/catalogue.js';
import { type Index } from './storage/indexes.js';
import { changeRecord, type Writer } from './storage/records.js';
import { doc } from './values/types.js';

const [tickMs, expireMs, batchSize] = [1000, 60_000, 500];

/**
 * The regular background work: transactions, sessions and cursors expire, documents are removed by TTL indexes
 * (manual: core/index-ttl), and the entries of dropped collections are removed, all in small batches.
 */
export class Housekeeping {
  private readonly timer: NodeJS.Timeout;
  private lastExpiry = performance.now();
  private working = false;

  constructor(
    private readonly engine: Engine,
    private readonly cursors: Cursors,
    private readonly expireEveryMs = expireMs,
  ) {
    this.timer = setInterval(() => void this.tick(), Math.min(tickMs, expireEveryMs));
    this.timer.unref();
  }

  /** Starts no further rounds. A running round ends at its next write when the data file is closed. */
  stop(): void {
    clearInterval(this.timer);
    this.working = true;
  }

  private async tick(): Promise<void> {
    const { engine } = this;
    engine.sessions.expire();
    if (this.working) return;
    this.working = true;
    try {
      await engine.recover();
      if (engine.catalogue.hasDropped) await engine.disk.write(() => engine.catalogue.sweep());
      if (performance.now() - this.lastExpiry < this.expireEveryMs) return;
      this.lastExpiry = performance.now();
      this.cursors.expire();
      for (const collection of engine.catalogue.list()) {
        for (const index of collection.indexes)
          if (index.expireAfterSeconds !== undefined)
            await this.removeExpired(collection, index, index.expireAfterSeconds);
      }
      await engine.disk.write(() => engine.sessions.purge());
    } catch {
      // A round that failed, for example on a full disk, is repeated. Commands that write get the error themselves.
    } finally {
      this.working = false;
    }
  }

  private async removeExpired(
    collection: Collection,
    { name, fields, partial }: Index,
    seconds: number,
  ): Promise<void> {
    const limit = new Date(Date.now() - seconds * 1000);
    const path = fields[0]?.path ?? '';
    const filter = new Map([...(partial?.filter ?? []), [path, doc({ $lt: limit })]]);
    const env = { now: limit, vars: new Map(), work: unlimited() };
    const query = { filter, sort: [], hint: name };
    for (let more = true; more;) {
      more = await this.engine.disk.write(() => {
        let removed = 0;
        for (const row of findRows(this.engine.live, collection, query, env)) {
          if (row && removedUnlessHeld(this.engine.live, collection, row) && ++removed === batchSize) return true;
        }
        return false;
      });
    }
  }
}

/** Removes a document and returns `true`; one that an open transaction has written stays until a later round. */
function removedUnlessHeld(writer: Writer, collection: Collection, row: Row): boolean {
  try {
    changeRecord(writer, collection, { record: row.record, before: row });
    return true;
  } catch (error) {
    if (error instanceof Blocked) return false;
    throw error;
  }
}
