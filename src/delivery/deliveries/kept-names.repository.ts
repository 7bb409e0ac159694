import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { claimDue } from '../../infrastructure/database/claim-due.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { DELIVERY_MODEL, type DeliveryRecord } from './delivery.schema.js';
import { type Delivery } from './delivery.types.js';

/** Deliveries that keep the name of an erased buyer until what is still to run has run. */
@Injectable()
export class KeptNamesRepository {
  constructor(@InjectModel(DELIVERY_MODEL) private readonly deliveries: Model<DeliveryRecord>) {}

  /** Claims the deliveries of all shops whose names are due to be checked: see `claimDue`. */
  async claim(now: Date, leaseUntil: Date, limit: number, transaction: Transaction): Promise<Delivery[]> {
    const due = { field: 'nameCheckAt' } as const;
    const records = await claimDue<DeliveryRecord>(this.deliveries, due, { now, leaseUntil, limit }, transaction);
    return records.map(fromStored);
  }

  /** Sets which deliveries of an order keep their names, and when that is checked. All others of the order keep none. */
  async set(
    shopId: string,
    orderId: string,
    { ids, checkAt }: { readonly ids: readonly string[]; readonly checkAt: Date },
    transaction: Transaction,
  ): Promise<void> {
    const others = { shopId, orderId, _id: trusted({ $nin: [...ids] }) };
    await this.deliveries.updateMany(others, { $set: { nameCheckAt: null } }, { session: transaction });
    const kept = { shopId, orderId, _id: oneOf(ids) };
    await this.deliveries.updateMany(kept, { $set: { nameCheckAt: checkAt } }, { session: transaction });
  }
}
