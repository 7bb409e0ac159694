import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { violatedIndex } from '../../platform/database/database-errors.js';
import { OUTBOX_LANE_MODEL, type OutboxLaneRecord } from './outbox-lane.schema.js';

/** The leases of lanes. No transaction writes them, so no write here waits for one. */
@Injectable()
export class OutboxLanesRepository {
  constructor(@InjectModel(OUTBOX_LANE_MODEL) private readonly lanes: Model<OutboxLaneRecord>) {}

  /** Takes a lane, or keeps one that the same process has. @returns false while another process has it */
  async lease(lane: string, holder: string, now: Date, until: Date): Promise<boolean> {
    const free = { lane, $or: [{ leasedUntil: trusted({ $lte: now }) }, { holder }] };
    const lease = { $set: { holder, leasedUntil: until } };
    try {
      await this.lanes.updateOne(free, lease, { upsert: true });
      return true;
    } catch (error) {
      // It has a record, which does not match.
      if (violatedIndex(error) === null) throw error;
      return false;
    }
  }

  async release(lane: string, holder: string, now: Date): Promise<void> {
    await this.lanes.updateOne({ lane, holder }, { $set: { leasedUntil: now } });
  }
}
