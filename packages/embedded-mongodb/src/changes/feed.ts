import { randomBytes } from 'node:crypto';
import { Timestamp } from 'bson';
import { fail } from '../errors.js';
import { isReplacement } from '../query/update.js';
import { type RecordChange } from '../storage/records.js';
import { encode } from '../values/bson.js';
import { type Doc, doc, type Maybe, type Value } from '../values/types.js';
import { describeUpdate } from './difference.js';

/** One thing that happened, as streams are told of it. */
export interface Happening {
  readonly kind: 'insert' | 'update' | 'replace' | 'delete' | 'drop' | 'dropDatabase';
  readonly database: string;
  /** Empty for what happened to a whole database. */
  readonly collection: string;
  /** The fields of the event that are not made anew for each stream, in BSON. */
  readonly body: Buffer;
  /** The same for all that a transaction did. */
  readonly transaction: Doc | undefined;
}

/** A happening that is durable: it has its time, and its number counts on from the one before. */
export interface Change extends Happening {
  readonly number: number;
  readonly at: Timestamp;
}

/** A place between two changes: after the one of that number. */
export interface Position {
  readonly number: number;
  /** Whether it is the place after the `invalidate` event that ended a stream. */
  readonly invalidated: boolean;
}

const [mostBytes, mostChanges] = [64 * 1024 * 1024, 100_000];
const restMs = 10 * 60_000;

/**
 * What happened lately, for change streams: noted inside commits, published when they are durable. Nothing is noted before
 * the first stream is opened, nor when there was none for ten minutes; what is kept is bounded and ends with the process.
 * A stream that wants what is no longer (or was never) kept gets ChangeStreamHistoryLost (286).
 */
export class Feed {
  private noted: Happening[] = [];
  private kept: Change[] = [];
  private bytes = 0;
  private last = 0;
  /** Nothing before and at this time is kept. */
  private since = 0n;
  /** Tells tokens of this stretch of noting from others. */
  private stretch = '';
  private readonly waiting = new Set<() => void>();
  private streams = 0;
  private usedAt = 0;

  constructor(private readonly tick: () => { t: number; i: number }) {}

  /** Whether what happens is noted. */
  get isOn(): boolean {
    return this.stretch !== '';
  }

  /** A stream begins; from the first one on all changes are noted. */
  open(): void {
    this.streams++;
    if (this.isOn) return;
    this.stretch = randomBytes(6).toString('hex');
    this.since = new Timestamp(this.tick()).toBigInt();
  }

  /** A stream ends. */
  close(): void {
    this.streams--;
    this.usedAt = Date.now();
  }

  /** Stops noting when no stream was open for ten minutes. */
  expire(now = Date.now()): void {
    if (this.streams > 0 || now - this.usedAt < restMs) return;
    Object.assign(this, { stretch: '', noted: [], kept: [], bytes: 0 });
  }

  /** Notes what a commit does to a document; counts when the commit is durable. */
  noteDocument(namespace: string, { before, after, update }: RecordChange, transaction?: Doc): void {
    if (!this.isOn) return;
    const changed = before !== undefined && after !== undefined;
    const kind = !before ? 'insert' : !after ? 'delete' : isReplacement(update ?? after) ? 'replace' : 'update';
    this.note(namespace, kind, transaction, {
      fullDocument: kind === 'update' ? undefined : after,
      documentKey: doc({ _id: (after ?? before)?.get('_id') ?? null }),
      updateDescription: changed && kind === 'update' ? describeUpdate(before, after, update ?? null) : undefined,
    });
  }

  /** Notes that a commit drops a collection, or (by a namespace without one) that a database is gone. */
  noteDrop(namespace: string): void {
    if (this.isOn) this.note(namespace, namespace.includes('.') ? 'drop' : 'dropDatabase', undefined, {});
  }

  private note(
    namespace: string,
    kind: Happening['kind'],
    transaction: Doc | undefined,
    fields: Readonly<Record<string, Value | undefined>>,
  ): void {
    const [database = '', ...rest] = namespace.split('.');
    const body = encode(doc({ wallTime: new Date(), ...fields }));
    this.noted.push({ kind, database, collection: rest.join('.'), body, transaction });
  }

  /** The commit in which things were noted is durable. */
  publish(): void {
    if (this.noted.length === 0) return;
    let previous: { transaction: Doc | undefined; at: Timestamp } | undefined;
    for (const happening of this.noted) {
      const together = happening.transaction !== undefined && previous?.transaction === happening.transaction;
      const at: Timestamp = together && previous ? previous.at : new Timestamp(this.tick());
      const change: Change = { ...happening, number: ++this.last, at };
      this.kept.push(change);
      this.bytes += change.body.length + 256;
      previous = change;
    }
    this.noted = [];
    if (this.bytes > mostBytes || this.kept.length > mostChanges) this.trim();
    for (const wake of [...this.waiting]) wake();
  }

  /** The commit in which things were noted is lost. */
  discard(): void {
    this.noted = [];
  }

  /** Gives up the older changes, a quarter more than must be, so that it isn't done for every one. */
  private trim(): void {
    let count = 0;
    for (; this.bytes > mostBytes * 0.75 || this.kept.length - count > mostChanges * 0.75; count++)
      this.bytes -= (this.kept[count]?.body.length ?? 0) + 256;
    this.since = this.kept[count - 1]?.at.toBigInt() ?? this.since;
    this.kept = this.kept.slice(count);
  }

  /** The change of that number, `undefined` when it has not happened yet; 286 when it is not kept. */
  change(number: number): Change | undefined {
    return number <= this.last - this.kept.length ? historyLost() : this.recent(number);
  }

  /** The same, `undefined` also when it is not kept. */
  recent(number: number): Change | undefined {
    return this.kept[number - (this.last - this.kept.length + 1)];
  }

  /** The place after everything that has happened. */
  get end(): Position {
    return { number: this.last, invalidated: false };
  }

  /** The place before the first change at or after that time; 286 when changes of that time may be missing. */
  at(time: Timestamp): Position {
    const wanted = time.toBigInt();
    if (wanted <= this.since) historyLost();
    const index = this.kept.findIndex(({ at }) => at.toBigInt() >= wanted);
    return { number: index < 0 ? this.last : this.last - this.kept.length + index, invalidated: false };
  }

  /** The resume token of a place; tokens of one stretch of noting sort as their places do. */
  token({ number, invalidated }: Position): Doc {
    return doc({ _data: `${this.stretch}${number.toString(16).padStart(14, '0')}${invalidated ? '01' : '00'}` });
  }

  /** The place of a resume token. 40647 and 260 for what is none; 286 for one of another stretch, or too old. */
  position(token: Doc): Position {
    const data: Maybe = token.get('_data');
    if (typeof data !== 'string') return fail(40647, 'Bad resume token: _data of missing or of wrong type');
    const [, stretch = '', number = '', flag] = /^([0-9a-f]{12})([0-9a-f]{14})(0[01])$/.exec(data) ?? [];
    if (number === '') fail(260, 'Bad resume token: it was not made by this server');
    const position = { number: parseInt(number, 16), invalidated: flag === '01' };
    if (stretch !== this.stretch) historyLost();
    this.change(position.number + 1);
    return position;
  }

  /** Waits until something is published, the time is over or a signal comes. */
  wait(ms: number, signals: readonly AbortSignal[]): Promise<void> {
    if (ms <= 0 || signals.some(({ aborted }) => aborted)) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.waiting.delete(wake);
        for (const signal of signals) signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.waiting.add(wake);
      for (const signal of signals) signal.addEventListener('abort', wake);
    });
  }
}

function historyLost(): never {
  return fail(
    286,
    'Resume of change stream was not possible, as the resume point may no longer be in the oplog. The embedded store keeps changes in memory, from the first stream on.',
  );
}
