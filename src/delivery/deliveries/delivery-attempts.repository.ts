import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { aboutOrders, type PersonalData } from '../../infrastructure/buyers/personal-data.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { forInsert, fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { DELIVERY_ATTEMPT_MODEL, type DeliveryAttemptRecord } from './delivery-attempt.schema.js';
import { type AttemptResult, type Delivery, type DeliveryAttempt } from './delivery.types.js';

/** What staff read of an attempt that ended by itself. */
const NOT_BEGUN = 'The lease ended before the plugin had begun.';

@Injectable()
export class DeliveryAttemptsRepository {
  constructor(@InjectModel(DELIVERY_ATTEMPT_MODEL) private readonly attempts: Model<DeliveryAttemptRecord>) {}

  async insertAll(
    shopId: string,
    attempts: readonly Omit<DeliveryAttempt, 'id' | 'shopId'>[],
    transaction: Transaction,
  ): Promise<void> {
    const records = attempts.map((attempt) => ({ ...attempt, shopId }));
    await this.attempts.insertMany(forInsert(records), { session: transaction });
  }

  /** All attempts of these deliveries, oldest first. */
  async findOf(
    shopId: string,
    deliveryIds: readonly string[],
    transaction: Transaction | null,
  ): Promise<DeliveryAttempt[]> {
    const records = await this.attempts
      .find({ deliveryId: oneOf(deliveryIds), shopId })
      .sort({ deliveryId: 1, attempt: 1 })
      .session(transaction)
      .lean();
    return records.map(fromStored);
  }

  /** The last attempt of each of these deliveries that had one. */
  async lastOf(shopId: string, deliveries: readonly Pick<Delivery, 'id' | 'attempt'>[]): Promise<DeliveryAttempt[]> {
    const lastOf = new Map(deliveries.map(({ id, attempt }) => [id, attempt]));
    const records = await this.attempts
      .find({ shopId, deliveryId: oneOf(lastOf.keys()), attempt: oneOf(new Set(lastOf.values())) })
      .lean();
    return records.map(fromStored).filter(({ deliveryId, attempt }) => lastOf.get(deliveryId) === attempt);
  }

  /** Stores what a plugin reported, once: a report that is stored does not change, unless it was `uncertain`. */
  async report(
    { id, shopId }: DeliveryAttempt,
    report: { readonly result: AttemptResult; readonly output: string | null; readonly acknowledgedAt: Date },
    transaction: Transaction,
  ): Promise<void> {
    const open = { _id: id, shopId, result: oneOf([null, 'uncertain'] as const) };
    await this.attempts.updateOne(open, { $set: report }, { session: transaction });
  }

  /** Stores of a delivery that its last attempt ended without having begun. */
  async endUnbegun({ id: deliveryId, shopId, attempt }: Delivery, now: Date, transaction: Transaction): Promise<void> {
    const ended = { result: 'released' as const, output: NOT_BEGUN, acknowledgedAt: now };
    await this.attempts.updateOne(
      { shopId, deliveryId, attempt, result: null },
      { $set: ended },
      { session: transaction },
    );
  }

  /** Stores until when the lease of an attempt lasts that has begun. */
  async renew({ id, shopId }: DeliveryAttempt, leaseUntil: Date, transaction: Transaction): Promise<void> {
    await this.attempts.updateOne({ _id: id, shopId }, { $set: { leaseUntil } }, { session: transaction });
  }

  /** What the records have about buyers. @param deliveriesOf returns the ids of the deliveries of some orders */
  personalData(
    deliveriesOf: (shopId: string, orderIds: readonly string[]) => Promise<readonly string[]>,
  ): PersonalData {
    const names = { nickname: 'nickname', leasedBy: null, output: 'sentence' } as const;
    return aboutOrders<DeliveryAttemptRecord>(this.attempts, 'deliveryId', names, { keysOf: deliveriesOf });
  }
}
