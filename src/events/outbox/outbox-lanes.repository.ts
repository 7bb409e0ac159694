import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { violatedIndex } from '../../infrastructure/database/database-errors.js';
import { freeLease } from '../../infrastructure/database/free-lease.js';
import { OUTBOX_LANE_MODEL, type OutboxLaneRecord } from './outbox-lane.schema.js';

/** The leases of lanes. No transaction writes them, so no write here waits for one. */
@Injectable()
export class OutboxLanesRepository {
  constructor(@InjectModel(OUTBOX_LANE_MODEL) private readonly lanes: Model<OutboxLaneRecord>) {}

  /** Takes the lease of a lane, or extends the lease of the same process. @returns false while another process holds it */
  async lease(lane: string, holder: string, now: Date, until: Date): Promise<boolean> {
    const free = { lane, $or: [freeLease(now, until), { holder }] };
    const lease = { $set: { holder, leasedUntil: until } };
    try {
      await this.lanes.updateOne(free, lease, { upsert: true });
      return true;
    } catch (error) {
      // The lane has a record that does not match the filter: another process holds it.
      if (violatedIndex(error) === null) throw error;
      return false;
    }
  }

  async release(lane: string, holder: string, now: Date): Promise<void> {
    await this.lanes.updateOne({ lane, holder }, { $set: { leasedUntil: now } });
  }
}
