import { Injectable } from '@nestjs/common';
import { Semaphore } from '../../lib/concurrency/semaphore.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';

/** How many connections the outbox uses at once: a small part of what requests have. */
const CONNECTIONS = 8;

/** The part of the database that the outbox may use, so that requests come first, also when many messages wait. */
@Injectable()
export class OutboxDatabase {
  // Only lanes that this process works on wait here, and those are limited.
  private readonly share = new Semaphore(CONNECTIONS);

  constructor(private readonly transactions: Transactions) {}

  /** Runs work that needs no transaction. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.share.run(work);
  }

  /** As `Transactions.run`. */
  write<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.share.run(() => this.transactions.run(work));
  }
}
