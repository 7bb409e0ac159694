import { type AuditedWrite, type AuditService, type Author } from '../../src/audit/audit.service.js';
import { type Transaction, type Transactions } from '../../src/database/transactions.js';

/** Runs the work once, without a database: for services whose repositories are fakes. */
export const directTransactions = {
  run: <Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> => work({} as Transaction),
} as Transactions;

/**
 * Runs the work once, with fakes that keep their state in memory. When the work fails, the state is put back.
 * @param save stores the state, and returns what puts it back
 */
export function undoingTransactions(save: () => () => void): Transactions {
  const run = async <Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> => {
    const putBack = save();
    try {
      return await work({} as Transaction);
    } catch (error) {
      putBack();
      throw error;
    }
  };
  return { run } as Transactions;
}

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
