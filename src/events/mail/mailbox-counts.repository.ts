import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { type Buyer, type PersonalData } from '../../infrastructure/buyers/personal-data.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { counts, type Totals } from '../../infrastructure/totals/totals.js';
import { HOUR_MS } from '../../lib/time/durations.js';
import { MAILBOX_COUNT_MODEL, type MailboxCountRecord, type MailboxLimit } from './mailbox-count.schema.js';

/** A limit of one mailbox. */
export interface CountedMailbox {
  /** The keyed hash that names it. */
  readonly id: string;
  readonly limit: MailboxLimit;
  /** How many emails it allows in any time of this length. */
  readonly quota: number;
  readonly windowMs: number;
}

@Injectable()
export class MailboxCountsRepository {
  constructor(@InjectModel(MAILBOX_COUNT_MODEL) private readonly mailboxes: Model<MailboxCountRecord>) {}

  /**
   * Counts one email to a mailbox, if its limit allows one more; otherwise that one was withheld. Transactions that count for one mailbox
   * at once conflict, and run again.
   */
  async take({ id, limit, quota, windowMs }: CountedMailbox, now: Date, transaction: Transaction): Promise<boolean> {
    const since = new Date(now.getTime() - windowMs);
    const forgetAt = new Date(now.getTime() + windowMs);
    // The list has the latest emails, at most `quota`: so there is room when it is shorter, or when its first one is too old to count.
    const isShorter = { [`sentAt.${quota - 1}`]: trusted({ $exists: false }) };
    const hasRoom = { _id: id, $or: [isShorter, { 'sentAt.0': trusted({ $lte: since }) }] };
    const sent = { $push: { sentAt: { $each: [now], $slice: -quota } }, $set: { forgetAt } };
    if ((await this.mailboxes.updateOne(hasRoom, sent, { session: transaction })).matchedCount === 1) return true;
    const withheld = { $inc: { withheld: 1 }, $set: { withheldAt: now, forgetAt } };
    if ((await this.mailboxes.updateOne({ _id: id }, withheld, { session: transaction })).matchedCount === 1)
      return false;
    const first = { _id: id, limit, withheld: 0, withheldAt: null };
    await this.mailboxes.insertOne({ ...first, sentAt: [now], forgetAt }, { session: transaction });
    return true;
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
