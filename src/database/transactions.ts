import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { type ClientSession, type Connection } from 'mongoose';

const MAX_COMMIT_TIME_MS = 5_000;

/** A running transaction; repository methods that take one take part in it. */
export type Transaction = ClientSession;

/** All-or-nothing work over several documents. */
@Injectable()
export class Transactions {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  /**
   * Runs `work` in a transaction (snapshot reads, majority writes). The driver runs it again when another transaction got
   * in the way, so it must do nothing but database work, one call after the other.
   */
  run<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.connection.withSession((session) =>
      session.withTransaction(work, {
        readConcern: { level: 'snapshot' },
        writeConcern: { w: 'majority' },
        maxCommitTimeMS: MAX_COMMIT_TIME_MS,
      }),
    );
  }
}
