import { randomBytes } from 'node:crypto';
import { fail } from '../errors.js';
import { type Session, sessionMinutes } from '../transactions/sessions.js';
import { encode, maxDocumentBytes } from '../values/bson.js';
import { type Doc, type Encodable, Raw, reply } from '../values/types.js';

/** The results of a query: documents (raw bytes where they are stored so), or `undefined` where other operations may run. */
export type Results = Iterator<Raw | Doc | undefined>;

/** What a cursor needs of the command that reads it. */
interface Reader {
  readonly body: Doc;
  readonly client: { readonly closed: AbortSignal };
  readonly session: Session | undefined;
  deadline: number;
  pause(): Promise<void>;
}

/** How a cursor is opened. */
export interface CursorOptions {
  readonly batchSize: number | undefined;
  /** Whether the first batch has all results. */
  readonly single?: boolean;
  /** Whether it stays open without being read, until its session ends (`noCursorTimeout`). */
  readonly patient?: boolean;
}

interface Cursor {
  /** 0 until it is kept. */
  id: bigint;
  readonly namespace: string;
  readonly results: Results;
  /** The command that created it; its expressions check its deadline, also while a later command reads. */
  readonly maker: { deadline: number };
  /** A document that was read but did not fit into the last batch. */
  held: Raw | undefined;
  /** The key of the session that opened it; only this session may read more. */
  readonly session: string | undefined;
  usedAt: number;
  readonly idleMs: number;
  /** What is left of the time limit of the command that opened it, in ms. */
  leftMs: number;
  /** Whether a batch is being read. */
  reading: boolean;
}

const firstBatchSize = 101;
const maxBatchBytes = 16 * 1024 * 1024;
const idleMs = 10 * 60_000;

/** The open cursors. */
export class Cursors {
  private readonly cursors = new Map<bigint, Cursor>();

  /** Returns the first batch, and keeps the cursor when there is more. */
  async open(
    operation: Reader,
    namespace: string,
    results: Results,
    { batchSize, single, patient }: CursorOptions,
  ): Promise<Map<string, Encodable>> {
    const session = sessionName(operation);
    const cursor: Cursor = {
      id: 0n,
      namespace,
      results,
      maker: operation,
      held: undefined,
      session,
      usedAt: performance.now(),
      idleMs: !patient ? idleMs : session === undefined ? Number.POSITIVE_INFINITY : sessionMinutes * 60_000,
      leftMs: Number.POSITIVE_INFINITY,
      reading: false,
    };
    const { batch, done } = await filled(operation, cursor, batchSize ?? firstBatchSize);
    if (done || single) results.return?.();
    else this.cursors.set((cursor.id = randomBytes(8).readBigUInt64BE() >> 2n), cursor);
    return reply({ cursor: reply({ firstBatch: batch, id: cursor.id, ns: namespace }) });
  }

  /**
   * Returns the next batch. 43 when there is no such cursor, 13 when it is another collection's, 12051 when it is being read,
   * 237 when it is killed meanwhile.
   */
  async next(
    operation: Reader,
    id: bigint,
    namespace: string,
    batchSize: number | undefined,
  ): Promise<Map<string, Encodable>> {
    const cursor = this.cursors.get(id) ?? fail(43, `cursor id ${id} not found`);
    if (cursor.namespace !== namespace)
      fail(
        13,
        `Requested getMore on namespace '${namespace}', but cursor belongs to a different namespace ${cursor.namespace}`,
      );
    if (cursor.session !== sessionName(operation))
      fail(50738, `Cannot run getMore on cursor ${id}, which was created in another session`);
    if (cursor.reading) fail(12051, `cursor id ${id} is already in use`);
    if (operation.body.has('maxTimeMS')) fail(2, 'cannot set maxTimeMS on getMore command for a non-awaitData cursor');
    operation.deadline = cursor.maker.deadline = performance.now() + cursor.leftMs;
    cursor.reading = true;
    try {
      const { batch, done } = await filled(operation, cursor, batchSize ?? Number.POSITIVE_INFINITY);
      if (this.cursors.get(id) !== cursor) fail(237, `operation was interrupted because cursor ${id} was killed`);
      if (done || operation.client.closed.aborted) this.kill(id);
      return reply({ cursor: reply({ nextBatch: batch, id: done ? 0n : id, ns: namespace }) });
    } catch (error) {
      this.kill(id);
      throw error;
    } finally {
      cursor.reading = false;
      cursor.usedAt = performance.now();
    }
  }

  /** Closes a cursor; `false` when there is none. */
  kill(id: bigint): boolean {
    const cursor = this.cursors.get(id);
    cursor?.results.return?.();
    return this.cursors.delete(id);
  }

  /** Closes the cursors of a session (its key). */
  killSession(key: Buffer): void {
    const name = key.toString('latin1');
    for (const [id, { session }] of this.cursors) if (session === name) this.kill(id);
  }

  /** Closes the cursors that were not read for ten minutes. */
  expire(now = performance.now()): void {
    for (const [id, cursor] of this.cursors) if (!cursor.reading && now - cursor.usedAt > cursor.idleMs) this.kill(id);
  }

  /** Closes all of them, when the server ends. */
  close(): void {
    for (const id of this.cursors.keys()) this.kill(id);
  }

  /** How many are open. */
  get size(): number {
    return this.cursors.size;
  }
}

const sessionName = ({ session }: Reader): string | undefined => session?.key.toString('latin1');

interface Batch {
  readonly batch: Encodable[];
  readonly done: boolean;
}

async function filled(operation: Reader, cursor: Cursor, size: number): Promise<Batch> {
  const { results } = cursor;
  const batch: Encodable[] = [];
  let bytes = 0;
  const batchOf = (done: boolean): Batch => {
    cursor.leftMs = operation.deadline - performance.now();
    return { batch, done };
  };
  if (cursor.held && size > 0) {
    batch.push(cursor.held);
    bytes = cursor.held.bytes.length;
    cursor.held = undefined;
  }
  while (batch.length < size) {
    const step = results.next();
    if (step.done === true) return batchOf(true);
    const { value } = step;
    if (!value) {
      await operation.pause();
      continue;
    }
    const raw = value instanceof Raw ? value : new Raw(encode(value));
    if (raw.bytes.length > maxDocumentBytes + 16 * 1024)
      fail(10334, `BSONObj size: ${raw.bytes.length} is invalid. Size must be between 0 and 16793600(16MB)`);
    bytes += raw.bytes.length + 16;
    if (bytes > maxBatchBytes && batch.length > 0) {
      cursor.held = raw;
      return batchOf(false);
    }
    batch.push(raw);
  }
  return batchOf(false);
}
