import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted, Types } from 'mongoose';
import { asConflict, violatedIndex } from '../database/database-errors.js';
import { type Transaction } from '../database/transactions.js';
import { OUTBOX_LANE_MODEL, type OutboxLaneRecord } from './outbox-lane.schema.js';

/** The leases of lanes. */
@Injectable()
export class OutboxLanesRepository {
  constructor(@InjectModel(OUTBOX_LANE_MODEL) private readonly lanes: Model<OutboxLaneRecord>) {}

  /** Takes a lane, or keeps one that the same process has. @returns false while another process has it */
  async lease(lane: string, holder: string, now: Date, until: Date, transaction: Transaction): Promise<boolean> {
    const lease = { holder, leasedUntil: until };
    const free = [{ leasedUntil: trusted({ $lte: now }) }, { holder }];
    const { matchedCount } = await this.lanes.updateOne({ lane, $or: free }, { $set: lease }).session(transaction);
    if (matchedCount === 1) return true;
    if ((await this.lanes.exists({ lane }).session(transaction)) !== null) return false;
    const record = { _id: new Types.ObjectId(), lane, ...lease };
    await this.lanes.insertOne(record, { session: transaction }).catch((error: unknown) => {
      throw violatedIndex(error) === null ? error : asConflict(error);
    });
    return true;
  }

  async release(lane: string, holder: string, now: Date, transaction: Transaction): Promise<void> {
    await this.lanes.updateOne({ lane, holder }, { $set: { leasedUntil: now } }).session(transaction);
  }
}
