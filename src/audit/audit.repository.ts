import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { Page, type PageRequest } from '../common/http/page.js';
import { olderThan } from '../database/paging.js';
import { type Transaction } from '../database/transactions.js';
import { AUDIT_MODEL, type AuditRecord } from './audit.schema.js';
import { type AuditEntry } from './audit.types.js';

const FIELDS = { at: 1, principal: 1, action: 1, subjectId: 1, changes: 1 } as const;

function toEntry({ _id, at, principal, action, subjectId, changes }: Omit<AuditRecord, 'shopId'>): AuditEntry {
  return {
    id: _id.toHexString(),
    at,
    principal,
    action,
    subjectId,
    changes: changes.map(({ field, before, after }) => ({ field, before, after })),
  };
}

/** The entries of the audit log. No method changes or deletes an entry. */
@Injectable()
export class AuditRepository {
  constructor(@InjectModel(AUDIT_MODEL) private readonly entries: Model<AuditRecord>) {}

  async insertAll(shopId: string, entries: readonly Omit<AuditEntry, 'id'>[], transaction: Transaction): Promise<void> {
    const records = entries.map((entry) => ({
      ...entry,
      shopId: new Types.ObjectId(shopId),
      changes: [...entry.changes],
    }));
    await this.entries.insertMany(records, { session: transaction });
  }

  async list(shopId: string, page: PageRequest): Promise<Page<AuditEntry>> {
    const records = await this.entries
      .find({ shopId, ...olderThan(page) }, FIELDS)
      .sort({ _id: -1 })
      .limit(page.limit + 1)
      .lean();
    return Page.of(records.map(toEntry), page.limit);
  }
}
