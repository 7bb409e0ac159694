import { before, type Engine } from '../engine.js';
import { Blocked, fail, type StoreError } from '../errors.js';
import { withVariables } from '../query/expression.js';
import { type Env } from '../query/terms.js';
import { Work } from '../query/work.js';
import { type Collection, type Readable } from '../storage/catalogue.js';
import { type Writer } from '../storage/records.js';
import { type Session } from '../transactions/sessions.js';
import { type Transaction } from '../transactions/transaction.js';
import { toNumber } from '../values/numbers.js';
import { type Doc, type Encodable, isDoc, isNumber, type Maybe, truthy, typeName } from '../values/types.js';
import { type Client } from './client.js';
import { type Cursors } from './cursors.js';
import { type FailPoints } from './failpoints.js';
import { type Running } from './running.js';

/** The fields of a reply, without `ok` and the times. */
export type Reply = Map<string, Encodable>;

/** What all commands of one server share. */
export interface Server {
  readonly engine: Engine;
  readonly cursors: Cursors;
  /** Only in tests. Without it `configureFailPoint` is an unknown command. */
  readonly failPoints: FailPoints | undefined;
  readonly running: Running;
  /** The address that `hello` names. */
  address: string;
}

/** One command that is being executed, and its arguments. */
export class Operation {
  /** The session, where the command names one. */
  session: Session | undefined;
  /** The transaction that the command belongs to. */
  transaction: Transaction | undefined;
  /** Whether the command is a retryable write, so that its results are remembered. */
  retryable = false;
  /** When the client's time limit ends, on the clock of `performance.now()`. */
  deadline: number;
  readonly startedAt = performance.now();
  readonly env: Env;
  /** Why it must end. */
  private stopped: StoreError | undefined;
  private wake: () => void = () => undefined;

  constructor(
    readonly server: Server,
    readonly client: Client,
    readonly name: string,
    readonly body: Doc,
    readonly database: string,
  ) {
    const limit = this.number('maxTimeMS', 0);
    if (!Number.isInteger(limit) || limit >= 2 ** 31) fail(2, `${limit} value for maxTimeMS is out of range`);
    this.deadline = limit > 0 ? performance.now() + limit : Number.POSITIVE_INFINITY;
    const work = new Work(() => this.deadline);
    this.env = withVariables({ now: new Date(), vars: new Map(), work }, this.optional('let', isDoc));
  }

  get engine(): Engine {
    return this.server.engine;
  }

  /** What the command reads. */
  get view(): Readable {
    return this.transaction ?? this.engine.live;
  }

  /** See {@link Engine.write}. It waits for transactions that hold what is to be written, until the time limit (50). */
  async write<T>(task: (writer: Writer) => T): Promise<T> {
    for (;;) {
      this.mustGoOn();
      try {
        return await this.engine.write(this.transaction, task);
      } catch (error) {
        if (!(error instanceof Blocked)) throw error;
        const isStopped = new Promise<void>((resolve) => (this.wake = resolve));
        await before(this.deadline, Promise.race([error.released, isStopped]));
      }
    }
  }

  /** Ends the command with that error at its next pause. */
  stop(error: StoreError): void {
    this.stopped ??= error;
    this.wake();
  }

  private mustGoOn(): void {
    if (this.stopped) throw this.stopped;
    if (performance.now() > this.deadline) fail(50, 'operation exceeded time limit');
  }

  /** The namespace that the command's first argument names. */
  namespace(value: Maybe = this.body.get(this.name)): string {
    if (typeof value !== 'string') fail(73, `collection name has invalid type ${typeName(value)}`);
    if (value === '' || value.includes('\0') || value.startsWith('.') || value.includes('$'))
      fail(73, `Invalid namespace specified '${this.database}.${value}'`);
    return `${this.database}.${value}`;
  }

  /** The collection of that namespace, also one that the operation's own transaction has created. */
  collection(namespace: string): Collection | undefined {
    return this.transaction ? this.transaction.collection(namespace) : this.engine.catalogue.get(namespace);
  }

  /** An argument of the given kind, or `undefined`; 14 when it is of another. */
  optional<T>(name: string, is: (value: unknown) => value is T): T | undefined {
    const value: unknown = this.body.get(name);
    if (value == null) return undefined;
    return is(value)
      ? value
      : fail(14, `BSON field '${this.name}.${name}' is the wrong type '${typeName(this.body.get(name))}'`);
  }

  /** An argument that must be there; 40414 when it is not. */
  required<T>(name: string, is: (value: unknown) => value is T): T {
    return this.optional(name, is) ?? fail(40414, `BSON field '${this.name}.${name}' is missing but a required field`);
  }

  /** A number that is not negative; else 51024. */
  number(name: string, fallback: number): number {
    const value = this.optional(name, isNumber);
    if (value === undefined) return fallback;
    const number = toNumber(value);
    return number > -1 ? number : fail(51024, `BSON field '${name}' value must be >= 0, actual value '${number}'`);
  }

  /** A flag, whose type is in the table of commands; a number counts as in MongoDB's lenient parser. */
  flag(name: string, fallback = false): boolean {
    const value = this.body.get(name);
    return value == null ? fallback : truthy(value);
  }

  /** Lets other operations run; 50 when the time limit is over, and the error of {@link stop}. */
  async pause(): Promise<void> {
    this.mustGoOn();
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (this.stopped) throw this.stopped;
  }
}
