import { randomBytes } from 'node:crypto';
import { fail } from '../errors.js';
import { encode } from '../values/bson.js';
import { type Doc, type Encodable, Raw, reply } from '../values/types.js';
import { type Answer, type Operation } from './operation.js';

/** Results on their way: documents (raw where they are stored so), or `undefined` where others may have their turn. */
export type Results = Iterator<Raw | Doc | undefined>;

interface Cursor {
  /** 0 until it is kept. */
  id: bigint;
  readonly namespace: string;
  readonly results: Results;
  /** A document that was read but did not fit into the last batch. */
  held: Raw | undefined;
  /** The session that made it, as a key; only that one may read on. */
  readonly session: string | undefined;
  usedAt: number;
}

const firstBatchSize = 101;
const maxBatchBytes = 16 * 1024 * 1024;
const idleMs = 10 * 60_000;

/** The open cursors. */
export class Cursors {
  private readonly cursors = new Map<bigint, Cursor>();

  /** Answers the first batch, and keeps the cursor when there is more. */
  async open(
    operation: Operation,
    namespace: string,
    results: Results,
    batchSize: number | undefined,
    single = false,
  ): Promise<Answer> {
    const cursor: Cursor = {
      id: 0n,
      namespace,
      results,
      held: undefined,
      session: sessionName(operation),
      usedAt: Date.now(),
    };
    const { batch, done } = await fill(operation, cursor, batchSize ?? firstBatchSize);
    const ended = done || single;
    if (ended) results.return?.();
    else this.cursors.set((cursor.id = randomBytes(8).readBigUInt64BE() >> 2n), cursor);
    return reply({
      cursor: reply({ firstBatch: batch, id: cursor.id, ns: namespace, atClusterTime: operation.snapshot?.at }),
    });
  }

  /** Answers the next batch; 43 when there is no such cursor, 13 when it is another collection's. */
  async next(operation: Operation, id: bigint, namespace: string, batchSize: number | undefined): Promise<Answer> {
    const cursor = this.cursors.get(id) ?? fail(43, `cursor id ${id} not found`);
    if (cursor.namespace !== namespace)
      fail(
        13,
        `Requested getMore on namespace '${namespace}', but cursor belongs to a different namespace ${cursor.namespace}`,
      );
    if (cursor.session !== sessionName(operation))
      fail(50738, `Cannot run getMore on cursor ${id}, which was created in another session`);
    this.cursors.delete(id); // so that nobody else reads on meanwhile
    const { batch, done } = await fill(operation, cursor, batchSize ?? Number.POSITIVE_INFINITY);
    cursor.usedAt = Date.now();
    if (!done) this.cursors.set(id, cursor);
    return reply({ cursor: reply({ nextBatch: batch, id: done ? 0n : id, ns: namespace }) });
  }

  /** Forgets a cursor; `false` when there is none. */
  kill(id: bigint): boolean {
    this.cursors.get(id)?.results.return?.();
    return this.cursors.delete(id);
  }

  /** Forgets cursors that nobody has read for ten minutes. */
  expire(now = Date.now()): void {
    for (const [id, { usedAt }] of this.cursors) if (now - usedAt > idleMs) this.kill(id);
  }

  /** How many are open. */
  get size(): number {
    return this.cursors.size;
  }
}

const sessionName = ({ session }: Operation): string | undefined => session?.key.toString('latin1');

async function fill(
  operation: Operation,
  cursor: Cursor,
  size: number,
): Promise<{ batch: Encodable[]; done: boolean }> {
  const batch: Encodable[] = [];
  let bytes = 0;
  if (cursor.held && size > 0) {
    batch.push(cursor.held);
    bytes = cursor.held.bytes.length;
    cursor.held = undefined;
  }
  while (batch.length < size) {
    const step = cursor.results.next();
    if (step.done === true) return { batch, done: true };
    const { value } = step;
    if (!value) {
      await operation.pause();
      continue;
    }
    const raw = value instanceof Raw ? value : new Raw(encode(value));
    bytes += raw.bytes.length + 16;
    if (bytes > maxBatchBytes && batch.length > 0) {
      cursor.held = raw;
      break;
    }
    batch.push(raw);
  }
  return { batch, done: false };
}
