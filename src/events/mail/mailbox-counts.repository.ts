import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { type Buyer, type PersonalData } from '../../infrastructure/buyers/personal-data.js';
import { orConflict } from '../../infrastructure/database/database-errors.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { counts, type Totals } from '../../infrastructure/totals/totals.js';
import { HOUR_MS } from '../../lib/time/durations.js';
import { type CountedMailbox, type MailboxCount } from './mailbox-count-rules.js';
import { MAILBOX_COUNT_MODEL, type MailboxCountRecord } from './mailbox-count.schema.js';

@Injectable()
export class MailboxCountsRepository {
  constructor(@InjectModel(MAILBOX_COUNT_MODEL) private readonly mailboxes: Model<MailboxCountRecord>) {}

  /** Counts one email to a mailbox that has a count below its quota. @returns false: nothing was written, `withEmail` has to decide */
  async add({ id, quota, windowMs }: CountedMailbox, now: Date, transaction: Transaction): Promise<boolean> {
    const isShorter = { _id: id, [`sentAt.${quota - 1}`]: trusted({ $exists: false }) };
    const sent = { $push: { sentAt: now }, $set: { forgetAt: new Date(now.getTime() + windowMs) } };
    return (await this.mailboxes.updateOne(isShorter, sent, { session: transaction })).matchedCount === 1;
  }

  /** The counts with these ids that exist. */
  async find(ids: readonly string[], transaction: Transaction): Promise<MailboxCount[]> {
    const records = await this.mailboxes
      .find({ _id: oneOf(ids) })
      .session(transaction)
      .lean();
    return records.map(({ _id, ...count }) => ({ id: _id, ...count }));
  }

  /** Stores counts, new ones too. Transactions that count for one mailbox at once conflict, and run again. */
  async save(counted: readonly MailboxCount[], transaction: Transaction): Promise<void> {
    const writes = counted.map(({ id, limit, sentAt, ...count }) => ({
      updateOne: {
        filter: { _id: id },
        update: { $set: { ...count, sentAt: [...sentAt] }, $setOnInsert: { limit } },
        upsert: true,
      },
    }));
    await orConflict(this.mailboxes.bulkWrite(writes, { session: transaction }));
  }

  /** What the counts have about buyers. @param idsOf returns those of a buyer in the shop */
  personalData(idsOf: (buyer: Buyer) => readonly string[]): PersonalData {
    return {
      collection: this.mailboxes.collection.collectionName,
      eraseBuyer: (buyer) => (transaction) => this.delete(idsOf(buyer), transaction),
    };
  }

  /** How many emails were withheld, for the operator alone. */
  totals(): Totals<'emails_withheld'> {
    const help =
      'Emails that were withheld from mailboxes at a limit, of which the latest one in the last hour, by limit';
    return {
      gauges: { emails_withheld: { help, labels: ['limit'] } },
      read: async (now, maxTimeMS) => {
        const recent = { withheldAt: { $gte: new Date(now.getTime() - HOUR_MS) } };
        return { emails_withheld: await counts(this.mailboxes, recent, { limit: '$limit' }, maxTimeMS, '$withheld') };
      },
    };
  }

  private async delete(ids: readonly string[], transaction: Transaction): Promise<void> {
    await this.mailboxes.deleteMany({ _id: oneOf(ids) }, { session: transaction });
  }
}
