import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted, Types } from 'mongoose';
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

/** Adds and reads; there is no method that changes or removes. */
@Injectable()
export class AuditRepository {
  constructor(@InjectModel(AUDIT_MODEL) private readonly entries: Model<AuditRecord>) {}

  async insert(shopId: string, entry: Omit<AuditEntry, 'id'>, transaction: Transaction): Promise<void> {
    const record = new this.entries({ ...entry, shopId: new Types.ObjectId(shopId), changes: [...entry.changes] });
    await record.save({ session: transaction });
  }

  async list(shopId: string, after: string | null, limit: number): Promise<AuditEntry[]> {
    const records = await this.entries
      .find({ shopId, ...(after === null ? {} : { _id: trusted({ $lt: new Types.ObjectId(after) }) }) }, FIELDS)
      .sort({ _id: -1 })
      .limit(limit)
      .lean();
    return records.map(toEntry);
  }
}
