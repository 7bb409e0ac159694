import { fail } from '../errors.js';
import { type Catalogue, type Writable } from '../storage/catalogue.js';
import { type Disk } from '../storage/disk.js';
import { after, sessionKey } from '../storage/keys.js';
import { decode, encode } from '../values/bson.js';
import { type Doc, doc, isDoc } from '../values/types.js';
import { type Holders } from './live.js';
import { Transaction } from './transaction.js';

/** How long an idle session is remembered, in minutes; what `hello` announces. */
export const sessionMinutes = 30;
const transactionMs = 60_000;
/** How long a transaction waits for its next command after the connection of the last one was closed. A driver repeats at once. */
const abandonedMs = 2000;

/** The result of the statements `first` to `last` of a retryable write. */
interface Remembered {
  readonly first: number;
  last: number;
  readonly result: Doc;
}

/** A client's logical session (driver specification: sessions, transactions, retryable writes). */
export class Session {
  /** The number of the newest retryable write or transaction; -1 before the first. */
  number = -1n;
  /** The open transaction. */
  transaction: Transaction | undefined;
  /** Whether the transaction of `number` has committed. */
  committed = false;
  /** Resolves when that commit is durable. */
  committing: Promise<void> | undefined;
  /** Whether it was ended without a commit. */
  aborted = false;
  startedAt = 0;
  usedAt = performance.now();
  /** Aborts when the connection of the transaction's last command is closed. */
  connection: AbortSignal | undefined;
  private results: Remembered[] = [];

  constructor(readonly key: Buffer) {}

  /** Reads what the data file has of the session. */
  load(stored: Doc): void {
    const [number, results] = [stored.get('number'), stored.get('results')];
    this.number = typeof number === 'bigint' ? number : BigInt(Number(number));
    this.committed = stored.get('committed') === true;
    this.aborted = false;
    this.results = (Array.isArray(results) ? results : []).filter(isDoc).map((entry) => ({
      first: Number(entry.get('first')),
      last: Number(entry.get('last')),
      result: isDoc(entry.get('result')) ? (entry.get('result') as Doc) : new Map(),
    }));
  }

  /** Begins a new number and removes the older ones; 225 for one that is older than the newest. */
  advance(number: bigint): void {
    if (number < this.number)
      fail(
        225,
        `Retryable write with txnNumber ${number} is prohibited on session because a newer retryable write with txnNumber ${this.number} has already started on this session.`,
      );
    if (number === this.number) return;
    this.end();
    Object.assign(this, { number, results: [], committed: false, aborted: false });
  }

  /** The stored result of a statement; `undefined` when it was not executed before. */
  result(statement: number): Doc | undefined {
    return this.results.find(({ first, last }) => first <= statement && statement <= last)?.result;
  }

  /** Keeps a statement's result, which {@link save} must write in the same commit. Equal neighbours become one entry. */
  remember(statement: number, result: Doc): void {
    const previous = this.results.at(-1);
    if (previous?.last === statement - 1 && encode(previous.result).equals(encode(result))) previous.last = statement;
    else this.results.push({ first: statement, last: statement, result });
  }

  /** Writes the session's results to the data file. */
  save(writable: Writable): void {
    const results = this.results.map(({ first, last, result }) => doc({ first, last, result }));
    writable.put(this.key, encode(doc({ number: this.number, committed: this.committed, results, at: new Date() })));
  }

  /** Ends the open transaction without a commit. */
  end(): void {
    this.transaction?.release();
    if (this.transaction) this.aborted = true;
    this.transaction = undefined;
  }
}

/** All sessions. */
export class Sessions {
  private readonly sessions = new Map<string, Session>();

  constructor(
    private readonly disk: Disk,
    private readonly catalogue: Catalogue,
    private readonly holders: Holders,
  ) {}

  /** The session with that id, with its results from the data file. */
  get(id: Uint8Array): Session {
    const key = sessionKey(id);
    const name = key.toString('latin1');
    const known = this.sessions.get(name);
    if (known) {
      known.usedAt = performance.now();
      return known;
    }
    const session = new Session(key);
    const stored = this.disk.get(key);
    if (stored) session.load(decode(stored));
    this.sessions.set(name, session);
    return session;
  }

  /** Starts the transaction of that number. */
  start(session: Session, number: bigint): void {
    if (number === session.number && (session.transaction ?? session.committed))
      fail(50911, `Transaction ${number} has been started already`);
    session.advance(number);
    session.aborted = false;
    session.startedAt = performance.now();
    session.transaction = new Transaction(this.disk, this.catalogue, this.holders);
  }

  /** The open transaction of that number; 256 when it has committed, 251 when there is none. */
  open(session: Session, number: bigint): Transaction {
    if (session.transaction && session.number === number) return session.transaction;
    if (session.number === number && session.committed)
      fail(256, `Transaction with { txnNumber: ${number} } has been committed.`);
    if (session.number === number && session.aborted)
      fail(251, `Transaction with { txnNumber: ${number} } has been aborted.`);
    return fail(
      251,
      `Given transaction number ${number} does not match any in-progress transactions. The active transaction number is ${session.number}`,
    );
  }

  /** Commits the transaction. A repeated commit of the same number has the result of the first. */
  async commit(session: Session, number: bigint): Promise<void> {
    if (session.number === number && session.committed && !session.transaction) return session.committing;
    const transaction = this.open(session, number);
    session.committed = true;
    session.transaction = undefined;
    try {
      session.committing = transaction.commit(() => session.save(this.disk));
      await session.committing;
    } catch (error) {
      session.committed = false;
      session.aborted = true;
      throw error;
    }
  }

  /** Ends sessions: their transactions are rolled back and their results are removed. */
  async finish(ids: readonly Uint8Array[]): Promise<void> {
    const ended = ids.map((id) => this.get(id));
    for (const session of ended) {
      session.end();
      this.sessions.delete(session.key.toString('latin1'));
    }
    const stored = ended.filter(({ key }) => this.disk.get(key));
    if (stored.length > 0) await this.disk.write(() => stored.forEach(({ key }) => this.disk.remove(key)));
  }

  /**
   * Rolls back transactions that are open for too long or whose client is gone, and removes sessions that were idle for too
   * long.
   */
  expire(now = performance.now()): void {
    for (const [name, session] of this.sessions) {
      const abandoned = session.connection?.aborted === true && now - session.usedAt > abandonedMs;
      if (session.transaction && (abandoned || now - session.startedAt > transactionMs)) session.end();
      if (!session.transaction && now - session.usedAt > sessionMinutes * 60_000) this.sessions.delete(name);
    }
  }

  /** Removes the results of expired sessions from the data file. Must be called inside a commit. */
  purge(now = Date.now()): void {
    const prefix = Buffer.from('T');
    for (const { key, value } of this.disk.range(prefix, after(prefix), false, 10_000)) {
      const at = decode(value).get('at');
      if (
        !this.sessions.has(key.toString('latin1')) &&
        !(at instanceof Date && now - at.getTime() < sessionMinutes * 60_000)
      )
        this.disk.remove(key);
    }
  }

  /**
   * Removes the sessions from memory after a failed commit, so that they are read again. Open transactions are rolled back: the
   * collections are read again too, and lose what a transaction has noted in their indexes, such as that a field has arrays.
   */
  forget(): void {
    this.close();
    this.sessions.clear();
  }

  /** Rolls back all open transactions. */
  close(): void {
    for (const session of this.sessions.values()) session.end();
  }
}
