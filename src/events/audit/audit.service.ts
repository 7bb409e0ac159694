import { Injectable } from '@nestjs/common';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { type Page, type PageRequest } from '../../lib/paging/page.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { ShopEventsService } from '../shop-events/shop-events.service.js';
import { AuditRepository } from './audit.repository.js';
import { AUDIT_ACTIONS, type AuditAction, type AuditChange, type AuditEntry, type AuditFilter } from './audit.types.js';

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
  constructor(
    private readonly entries: AuditRepository,
    private readonly events: ShopEventsService,
  ) {}

  /** Records a write in its own transaction, so that neither exists without the other. */
  record(author: Author, write: AuditedWrite, transaction: Transaction): Promise<void> {
    return this.recordAll(author, [write], transaction);
  }

  /** Records several writes of one author, and the events of those that are published (`AUDIT_ACTIONS`). */
  async recordAll(
    { shopId, principal }: Author,
    writes: readonly AuditedWrite[],
    transaction: Transaction,
  ): Promise<void> {
    const at = new Date();
    const entries = writes.map(({ action, subjectId = null, changes = [] }) => ({
      at,
      principal,
      action,
      subjectId,
      changes,
    }));
    await this.entries.insertAll(shopId, entries, transaction);
    const events = writes.flatMap(({ action, subjectId }) => {
      const { event } = AUDIT_ACTIONS[action];
      return event === null || subjectId === undefined ? [] : [{ type: event, subjectId, details: { principal } }];
    });
    await this.events.record(shopId, events, transaction);
  }

  /** The entries of the shop that a filter finds, newest first, and how many there are. */
  list({ shopId }: ShopContext, filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry>> {
    return this.entries.list(shopId, filter, page);
  }
}
