import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type QueryFilter, trusted } from 'mongoose';
import { Page, type PageRequest } from '../../lib/paging/page.js';
import { mailboxOf } from '../../domain/buyers/mailbox.js';
import { nicknameKeyOf } from '../../domain/buyers/buyer-keys.js';
import { countListed } from '../../infrastructure/database/count-listed.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { type NamingFields } from '../../infrastructure/buyers/naming-fields.js';
import { aboutBuyers, aboutOrders, type Buyer, type PersonalData } from '../../infrastructure/buyers/personal-data.js';
import { idMadeAt, isWholeSecond, madeBefore, madeFrom } from '../../infrastructure/database/made-in-last.js';
import { afterIdOf, byId } from '../../infrastructure/database/paging.js';
import { forInsert, fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { AUDIT_MODEL, type AuditRecord } from './audit.schema.js';
import { ALL_AUDIT_ACTIONS, type AuditEntry, type AuditFilter, type AuditLookup } from './audit.types.js';

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

/** A condition that every entry meets, so that the index of actions has all of them in the order of time. */
const EVERY_ACTION = { action: oneOf(ALL_AUDIT_ACTIONS) };

function indexed({ action, principal, subjectId }: AuditFilter): QueryFilter<AuditRecord> {
  return [action, principal, subjectId].some((value) => value !== undefined) ? {} : EVERY_ACTION;
}

function conditionOf(lookup: AuditLookup): QueryFilter<AuditRecord> {
  if ('actions' in lookup) return { action: oneOf(lookup.actions) };
  if ('subjectId' in lookup) return { subjectId: lookup.subjectId };
  return { principal: oneOf(lookup.principals) };
}

function conditionsOf({ action, principal, subjectId, from, to }: AuditFilter): QueryFilter<AuditRecord>[] {
  return [
    ...(action === undefined ? [] : [{ action }]),
    ...(principal === undefined ? [] : [{ principal }]),
    ...(subjectId === undefined ? [] : [{ subjectId }]),
    ...(from === undefined ? [] : [madeFrom(from), isWholeSecond(from) ? {} : { at: trusted({ $gte: from }) }]),
    ...(to === undefined ? [] : [madeBefore(to), isWholeSecond(to) ? {} : { at: trusted({ $lt: to }) }]),
  ];
}

/** The entries of the audit log. Only the erasure of a buyer changes entries, and nothing deletes one. */
@Injectable()
export class AuditRepository {
  constructor(@InjectModel(AUDIT_MODEL) private readonly entries: Model<AuditRecord>) {}

  async insertAll(shopId: string, entries: readonly Omit<AuditEntry, 'id'>[], transaction: Transaction): Promise<void> {
    const records = entries.map((entry) => ({ ...entry, _id: idMadeAt(entry.at), shopId }));
    await this.entries.insertMany(forInsert(records), { session: transaction });
  }

  /** The entries that a filter finds, newest first, and how many there are (`countListed`). One query for each lookup. */
  async list(shopId: string, filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry>> {
    const lookups = filter.lookups?.map(conditionOf) ?? [indexed(filter)];
    if (lookups.length === 0) return Page.ofParts<AuditEntry>([], page).counted(0);
    const conditions = [{}, ...conditionsOf(filter)];
    const read = (lookup: QueryFilter<AuditRecord>) =>
      this.entries
        .find({ shopId, $and: [...conditions, lookup, afterIdOf(page)] }, { shopId: 0 })
        .sort(byId(page))
        .limit(page.limit + 1)
        .lean();
    const [lookup, ...others] = lookups;
    const either = others.length === 0 ? { ...lookup } : { $or: lookups };
    const [total, ...parts] = await Promise.all([
      countListed<AuditRecord>(this.entries, { shopId, $and: conditions, ...either }),
      ...lookups.map(read),
    ]);
    const entries = parts.map((records) => records.map(fromStored));
    return Page.ofParts(entries, page).counted(total);
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
