import { Injectable } from '@nestjs/common';
import { type ShopContext } from '../common/auth/auth-context.js';
import { type Page, type PageRequest } from '../common/http/page.js';
import { type Transaction } from '../database/transactions.js';
import { AuditRepository } from './audit.repository.js';
import { type AuditAction, type AuditChange, type AuditEntry } from './audit.types.js';

/** Who writes, in which shop: a caller, or `provider:<name>`, `buyer` or `system`. */
export type Author = Pick<ShopContext, 'shopId' | 'principal'>;

/** What the audit log records of a write. */
export interface AuditedWrite {
  readonly action: AuditAction;
  readonly subjectId?: string;
  readonly changes?: readonly AuditChange[];
}

/** The append-only log of who changed what in a shop. */
@Injectable()
export class AuditService {
  constructor(private readonly entries: AuditRepository) {}

  /** Records a write in its own transaction, so that neither exists without the other. */
  record(author: Author, write: AuditedWrite, transaction: Transaction): Promise<void> {
    return this.recordAll(author, [write], transaction);
  }

  /** Records several writes of one author. */
  recordAll({ shopId, principal }: Author, writes: readonly AuditedWrite[], transaction: Transaction): Promise<void> {
    const at = new Date();
    const entries = writes.map(({ action, subjectId = null, changes = [] }) => ({
      at,
      principal,
      action,
      subjectId,
      changes,
    }));
    return this.entries.insertAll(shopId, entries, transaction);
  }

  /** The entries of the shop, newest first. */
  list({ shopId }: ShopContext, page: PageRequest): Promise<Page<AuditEntry>> {
    return this.entries.list(shopId, page);
  }
}
