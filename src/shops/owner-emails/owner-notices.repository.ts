import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted, Types } from 'mongoose';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { HOUR_MS } from '../../lib/time/durations.js';
import { OWNER_NOTICE_MODEL, type OwnerNoticeRecord } from './owner-notice.schema.js';
import { type NoticeKind, type WaitingNotices } from './owner-notice.types.js';

/** How long after an email the next one about the same can be sent. */
const SUMMARY_INTERVAL_MS = HOUR_MS;
/** How many orders a summary names of each kind. */
const MAX_ORDERS = 10;

@Injectable()
export class OwnerNoticesRepository {
  constructor(@InjectModel(OWNER_NOTICE_MODEL) private readonly notices: Model<OwnerNoticeRecord>) {}

  /**
   * Takes the email about an order, if there was none of its kind in the last hour; otherwise the order waits for the summary. Transactions
   * that do this for one shop at once conflict, and run again.
   */
  async takeFirst(
    shopId: string,
    kind: NoticeKind,
    orderName: string,
    now: Date,
    transaction: Transaction,
  ): Promise<boolean> {
    const nextAt = after(now);
    const isFree = { shopId, kind, waiting: 0, nextAt: trusted({ $lte: now }) };
    const first = await this.notices.updateOne(
      isFree,
      { $set: { nextAt, forgetAt: nextAt } },
      { session: transaction },
    );
    if (first.matchedCount === 1) return true;
    const latest = { orderNames: { $each: [orderName], $slice: -MAX_ORDERS } };
    const later = { $inc: { waiting: 1 }, $push: latest, $set: { forgetAt: null } };
    if ((await this.notices.updateOne({ shopId, kind }, later, { session: transaction })).matchedCount === 1)
      return false;
    const record = { shopId: new Types.ObjectId(shopId), kind, nextAt, waiting: 0, orderNames: [], forgetAt: nextAt };
    await this.notices.insertOne(record, { session: transaction });
    return true;
  }

  /** The shops whose summary is due: the one that waits for the longest first. */
  async dueShops(now: Date, limit: number): Promise<string[]> {
    const due = await this.notices
      .find({ nextAt: trusted({ $lte: now }), waiting: trusted({ $gt: 0 }) }, { shopId: 1 })
      .sort({ nextAt: 1 })
      .limit(limit)
      .lean();
    return [...new Set(due.map(({ shopId }) => shopId.toHexString()))];
  }

  /**
   * Takes all orders of a shop that wait, if its summary is due. The next email about any of them can be sent an hour later, so that a shop
   * has one summary an hour. Of two transactions that take them at once, one conflicts.
   */
  async takeWaiting(shopId: string, now: Date, transaction: Transaction): Promise<WaitingNotices[]> {
    const records = await this.notices.find({ shopId }).sort({ kind: 1 }).session(transaction).lean();
    const waiting = records.filter((record) => record.waiting > 0);
    if (!waiting.some(({ nextAt }) => nextAt <= now)) return [];
    const nextAt = after(now);
    const taken = { $set: { nextAt, forgetAt: nextAt, waiting: 0, orderNames: [] } };
    await this.notices.updateMany({ shopId }, taken, { session: transaction });
    return waiting.map(({ kind, orderNames, waiting: count }) => ({ kind, waiting: count, orderNames }));
  }
}

function after(now: Date): Date {
  return new Date(now.getTime() + SUMMARY_INTERVAL_MS);
}
