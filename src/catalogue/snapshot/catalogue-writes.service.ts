import { Injectable } from '@nestjs/common';
import { lockOn } from '../../domain/limits/lock-names.js';
import { type AuditedWrite, AuditService, type Author } from '../../events/audit/audit.service.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { ShopsService } from '../../shops/shops/shops.service.js';

/**
 * The writes to what a shop sells: products, categories, game servers, and the payment providers that charge for them. Every service that
 * writes such a record does it in `run`, and calls `record` or `raise` there when something changed, as the last write.
 * `test/contract/audit-entries.e2e-spec.ts` fails for one that does not.
 */
@Injectable()
export class CatalogueWritesService {
  constructor(
    private readonly shops: ShopsService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Runs a change in a transaction. Those of one shop run one after the other: all of them write the revision, so they would
   * conflict, and run again many times.
   */
  run<Result>(shopId: string, work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.transactions.run(work, { oneAtATime: lockOn('catalogue', shopId) });
  }

  /** Records a change in the audit log, and raises the revision: a snapshot from before the change is not used any more. */
  async record(author: Author, write: AuditedWrite, transaction: Transaction): Promise<void> {
    await this.audit.record(author, write, transaction);
    await this.raise(author.shopId, transaction);
  }

  /** Raises the revision after a change that has its entry in the audit log already. */
  raise(shopId: string, transaction: Transaction): Promise<void> {
    return this.shops.raiseCatalogueRevision(shopId, transaction);
  }
}
