import { type AuditedWrite, type AuditService, type Author } from '../../src/audit/audit.service.js';
import { type Transaction, type Transactions } from '../../src/database/transactions.js';

/** Runs the work once, without a database: for services whose repositories are fakes. */
export const directTransactions = {
  run: <Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> => work({} as Transaction),
} as Transactions;

/** An audit log in memory. */
export class FakeAudit implements Pick<AuditService, 'record'> {
  readonly entries: (AuditedWrite & { readonly author: Author })[] = [];

  record(author: Author, write: AuditedWrite): Promise<void> {
    this.entries.push({ author, ...write });
    return Promise.resolve();
  }

  get asService(): AuditService {
    return this as unknown as AuditService;
  }
}
