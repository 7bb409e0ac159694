import { Injectable } from '@nestjs/common';
import { type ShopContext } from '../common/auth/auth-context.js';
import { type PageQuery } from '../common/http/page.query.dto.js';
import { Page } from '../common/http/page.js';
import { type Transaction } from '../database/transactions.js';
import { AuditRepository } from './audit.repository.js';
import { type AuditAction, type AuditChange, type AuditEntry } from './audit.types.js';

/** Who writes, in which shop: a caller, or `provider:<name>`, `buyer` or `system`. */
export type Author = Pick<ShopContext, 'shopId' | 'principal'>;

/** What a service tells of a write. */
export interface AuditedWrite {
  readonly action: AuditAction;
  readonly subjectId?: string;
  readonly changes?: readonly AuditChange[];
}

/** The append-only log of what was done to a shop, and by whom. */
@Injectable()
export class AuditService {
  constructor(private readonly entries: AuditRepository) {}

  /** Notes a write in the transaction that makes it: neither is there without the other. */
  record(author: Author, write: AuditedWrite, transaction: Transaction): Promise<void> {
    const { action, subjectId = null, changes = [] } = write;
    const entry = { at: new Date(), principal: author.principal, action, subjectId, changes };
    return this.entries.insert(author.shopId, entry, transaction);
  }

  async list({ shopId }: ShopContext, query: PageQuery): Promise<Page<AuditEntry>> {
    return Page.of(await this.entries.list(shopId, query.after, query.limit + 1), query.limit);
  }
}
