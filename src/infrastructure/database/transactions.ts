import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { type ClientSession, type Connection } from 'mongoose';
import { type LockName } from '../../domain/limits/lock-names.js';
import { KeyedQueue } from '../../lib/concurrency/keyed-queue.js';
import { Semaphore } from '../../lib/concurrency/semaphore.js';
import { AppError, unavailable } from '../../domain/errors/app-error.js';
import { SECOND_MS } from '../../lib/time/durations.js';
import { AppConfig } from '../config/app-config.js';

/** Half of the connection pool. So an open transaction never waits for a connection that only waiting transactions could free. */
const MAX_OPEN = 25;
/** At a few milliseconds each, more than this cannot finish in time. */
const MAX_WAITING = 1_000;
/**
 * When a request has waited for its slot as long as it may (3 s), and the commit begins before this time and takes as long as it may, it
 * still ends before the deadline of the request (10 s).
 */
const TIME_LIMIT_MS = 5 * SECOND_MS;
const MAX_COMMIT_TIME_MS = 2 * SECOND_MS;

/** A running transaction; repository methods that take one take part in it. */
export type Transaction = ClientSession;

export interface TransactionOptions {
  /**
   * Names the records (`lockOn`) that all transactions of this kind write. Transactions of this process with the same name run one after
   * the other. Otherwise they would conflict and run again many times. Transactions of other processes can still conflict: that is
   * correct, only slower.
   */
  readonly oneAtATime?: LockName | readonly LockName[] | undefined;
}

/** All-or-nothing work over several documents. */
@Injectable()
export class Transactions {
  private readonly open = new Semaphore(MAX_OPEN, MAX_WAITING, unavailable);
  private readonly queues = new KeyedQueue(MAX_WAITING, unavailable);
  private readonly timeLimitMs: number;
  private readonly maxCommitTimeMS: number;

  constructor(
    @InjectConnection() private readonly connection: Connection,
    { timeLimitFactor }: AppConfig,
  ) {
    this.timeLimitMs = TIME_LIMIT_MS * timeLimitFactor;
    this.maxCommitTimeMS = MAX_COMMIT_TIME_MS * timeLimitFactor;
  }

  /**
   * Runs `work` in a transaction (snapshot reads, majority writes). The driver runs it again after a conflict with another
   * transaction. So `work` may only call the database, one call after the other.
   * @throws AppError service_unavailable when the work could not be finished within 5 s: then nothing of it is stored
   */
  run<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    { oneAtATime = [] }: TransactionOptions = {},
  ): Promise<Result> {
    const lastCommitAt = performance.now() + this.timeLimitMs;
    const start = (): Promise<Result> => this.open.run(() => this.runUntil(lastCommitAt, work));
    // In one order for all, so that no two wait for each other.
    const run = [oneAtATime]
      .flat()
      .sort()
      .reduceRight((next, name) => () => this.queues.run(name, next), start);
    return run();
  }

  /** The time is checked before each attempt, and again before the commit: after a 503 nothing may change any more. */
  private runUntil<Result>(lastCommitAt: number, work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    const inTime = async (session: ClientSession): Promise<Result> => {
      requireBefore(lastCommitAt);
      const result = await work(session);
      requireBefore(lastCommitAt);
      return result;
    };
    return this.connection.withSession((session) =>
      session.withTransaction(inTime, {
        readConcern: { level: 'snapshot' },
        writeConcern: { w: 'majority' },
        maxCommitTimeMS: this.maxCommitTimeMS,
      }),
    );
  }
}

function requireBefore(instant: number): void {
  if (performance.now() > instant) throw new AppError('service_unavailable');
}
