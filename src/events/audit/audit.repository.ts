import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { Page, type PageRequest } from '../../lib/paging/page.js';
import { olderThan } from '../../infrastructure/database/paging.js';
import { forInsert, fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { AUDIT_MODEL, type AuditRecord } from './audit.schema.js';
import { type AuditEntry } from './audit.types.js';

/** The entries of the audit log. No method changes or deletes an entry. */
@Injectable()
export class AuditRepository {
  constructor(@InjectModel(AUDIT_MODEL) private readonly entries: Model<AuditRecord>) {}

  async insertAll(shopId: string, entries: readonly Omit<AuditEntry, 'id'>[], transaction: Transaction): Promise<void> {
    const records = entries.map((entry) => ({ ...entry, shopId }));
    await this.entries.insertMany(forInsert(records), { session: transaction });
  }

  async list(shopId: string, page: PageRequest): Promise<Page<AuditEntry>> {
    const records = await this.entries
      .find({ shopId, ...olderThan(page) }, { shopId: 0 })
      .sort({ _id: -1 })
      .limit(page.limit + 1)
      .lean();
    return Page.of(records.map(fromStored), page.limit);
  }
}
