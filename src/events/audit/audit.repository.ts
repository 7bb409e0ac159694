import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { Page, type PageRequest } from '../../lib/paging/page.js';
import { mailboxOf } from '../../domain/buyers/mailbox.js';
import { nicknameKeyOf } from '../../domain/buyers/buyer-keys.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { type NamingFields } from '../../infrastructure/buyers/naming-fields.js';
import { aboutBuyers, aboutOrders, type Buyer, type PersonalData } from '../../infrastructure/buyers/personal-data.js';
import { olderThan } from '../../infrastructure/database/paging.js';
import { forInsert, fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { AUDIT_MODEL, type AuditRecord } from './audit.schema.js';
import { type AuditEntry } from './audit.types.js';

/** The entries about bans. Each names its buyer, and stays when the ban has ended. */
const BAN_ACTIONS = ['ban.created', 'ban.deleted'] as const;

const NAMES: NamingFields<AuditRecord> = { principal: null, subjectId: null, changes: 'changes' };

function isAboutBanOf({ changes }: AuditRecord, { mailbox, keys }: Buyer): boolean {
  return changes.some(({ field, before, after }) => {
    const name = after ?? before ?? '';
    if (field === 'nickname') return keys.some(({ nicknameKey }) => nicknameKey === nicknameKeyOf(name));
    return field === 'email' && mailboxOf(name) === mailbox;
  });
}

/** The entries of the audit log. Only the erasure of a buyer changes entries, and nothing deletes one. */
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

  /** What the entries have about buyers: those about orders, and those about bans. */
  personalData(): PersonalData {
    const ofOrders = aboutOrders<AuditRecord>(this.entries, 'subjectId', NAMES);
    const bans = ({ shopId }: Buyer) => ({ shopId, action: oneOf(BAN_ACTIONS) });
    const ofBans = aboutBuyers<AuditRecord>(this.entries, bans, NAMES, isAboutBanOf);
    const read = async (buyer: Buyer) => [...(await ofOrders.read(buyer)), ...(await ofBans.read(buyer))];
    return { ...ofOrders, ...ofBans, read };
  }
}
