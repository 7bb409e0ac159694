import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { fromStored } from '../../infrastructure/database/stored.js';
import { DELIVERY_MODEL, type DeliveryRecord } from './delivery.schema.js';
import { type FailedDelivery } from './failure-rules.js';

const FAILED_FIELDS = {
  ...{ orderId: 1, serverId: 1, nickname: 1, attempt: 1, attemptsLeft: 1 },
} as const satisfies Record<Exclude<keyof FailedDelivery, 'id'>, 1>;

/** The deliveries of a shop that failed. */
@Injectable()
export class FailedDeliveriesRepository {
  constructor(@InjectModel(DELIVERY_MODEL) private readonly deliveries: Model<DeliveryRecord>) {}

  /**
   * The latest ones. Indexes: `{ shopId, state, _id }` and `{ shopId, serverId, state, _id }`.
   * @param only those for one of these servers, or for any server (null in the list); null: all
   */
  async latest(shopId: string, only: readonly (string | null)[] | null, limit: number): Promise<FailedDelivery[]> {
    const filter = { shopId, ...(only === null ? {} : { serverId: oneOf(only) }), state: 'failed' as const };
    const records = await this.deliveries.find(filter, FAILED_FIELDS).sort({ _id: -1 }).limit(limit).lean();
    return records.map(fromStored);
  }

  /** The orders of these deliveries of the shop, in any state. */
  async ordersOf(shopId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const records = await this.deliveries.find({ _id: oneOf(ids), shopId }, { orderId: 1 }).lean();
    return new Map(records.map(({ _id, orderId }) => [_id.toHexString(), orderId.toHexString()]));
  }
}
