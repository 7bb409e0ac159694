import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { DELIVERY_MODEL, type DeliveryRecord } from './delivery.schema.js';

/** A delivery that is not done, as the overview counts it. */
export interface OpenDelivery {
  readonly id: string;
  readonly serverId: string | null;
}

/** Deliveries that wait or failed, as many as one reads in one go. */
@Injectable()
export class DeliveriesOverviewRepository {
  constructor(@InjectModel(DELIVERY_MODEL) private readonly deliveries: Model<DeliveryRecord>) {}

  /** What game servers can lease now, what waits longest first. An ended lease waits too. */
  async waiting(shopId: string, now: Date, limit: number): Promise<OpenDelivery[]> {
    const filter = { shopId, state: oneOf(['queued', 'leased'] as const), dueAt: trusted({ $lte: now }) };
    const records = await this.deliveries.find(filter, { serverId: 1 }).sort({ dueAt: 1 }).limit(limit).lean();
    return records.map(openDelivery);
  }

  /** What failed or is uncertain, the latest first. */
  async inState(shopId: string, state: 'failed' | 'uncertain', limit: number): Promise<OpenDelivery[]> {
    const filter = { shopId, state };
    const records = await this.deliveries.find(filter, { serverId: 1 }).sort({ _id: -1 }).limit(limit).lean();
    return records.map(openDelivery);
  }
}

function openDelivery({ _id, serverId }: Pick<DeliveryRecord, '_id' | 'serverId'>): OpenDelivery {
  return { id: _id.toHexString(), serverId: serverId?.toHexString() ?? null };
}
