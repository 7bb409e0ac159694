import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { statesBefore } from '../../lib/states/transitions.js';
import { nameless } from '../../infrastructure/buyers/naming-fields.js';
import { aboutOrders, type PersonalData } from '../../infrastructure/buyers/personal-data.js';
import { claimDue } from '../../infrastructure/database/claim-due.js';
import { orDuplicate } from '../../infrastructure/database/database-errors.js';
import { madeInLast } from '../../infrastructure/database/made-in-last.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { forInsert, fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { counts, type Totals } from '../../infrastructure/totals/totals.js';
import { DAY_MS } from '../../lib/time/durations.js';
import { REFUND_MODEL, type RefundRecord } from './refund.schema.js';
import { type Refund, REFUND_TRANSITIONS } from './refund.types.js';

/** What the provider reported about a refund. */
export type RefundChange = Pick<Refund, 'state' | 'refundId' | 'failure' | 'dueAt'>;

@Injectable()
export class RefundsRepository {
  constructor(@InjectModel(REFUND_MODEL) private readonly refunds: Model<RefundRecord>) {}

  /** The refunds of an order, oldest first. An order has at most `MAX_REFUNDS`. */
  async list(shopId: string, orderId: string, transaction: Transaction | null): Promise<Refund[]> {
    const records = await this.refunds.find({ shopId, orderId }).sort({ _id: 1 }).session(transaction).lean();
    return records.map(fromStored);
  }

  async find(shopId: string, id: string, transaction: Transaction | null): Promise<Refund | null> {
    const record = await this.refunds.findOne({ _id: id, shopId }).session(transaction).lean();
    return record && fromStored(record);
  }

  /** @throws AppError idempotency_in_progress when there is a refund with this id */
  async insert(shopId: string, { id, ...values }: Omit<Refund, 'shopId'>, transaction: Transaction): Promise<Refund> {
    const record = forInsert({ ...values, _id: id, shopId });
    const insert = this.refunds.insertOne(record, { session: transaction });
    return fromStored((await orDuplicate(insert, 'idempotency_in_progress')).toObject());
  }

  /**
   * Stores what the provider reported about a refund. A change without the provider's id never replaces one with an id: of two
   * parallel requests for one refund, the rejected or abandoned one has less information.
   * @returns false when the refund cannot move to the new state, because a later state was stored in the meantime
   */
  async change(
    shopId: string,
    id: string,
    { state, ...change }: RefundChange,
    transaction: Transaction,
  ): Promise<boolean> {
    const before = oneOf([state, ...statesBefore(REFUND_TRANSITIONS, state)]);
    const { matchedCount } = await this.refunds.updateOne(
      { _id: id, shopId, state: before, ...(change.refundId === null ? { refundId: null } : {}) },
      { $set: { state, ...change } },
      { session: transaction },
    );
    return matchedCount === 1;
  }

  /** Whether refunds of one of the providers are due. */
  async hasDue(providers: readonly string[], now: Date): Promise<boolean> {
    const due = { provider: oneOf(providers), dueAt: trusted({ $lte: now }) };
    return (await this.refunds.exists(due)) !== null;
  }

  /** Claims refunds of a provider, of all shops, that are due: see `claimDue`. */
  async claimDue(
    provider: string,
    now: Date,
    leaseUntil: Date,
    limit: number,
    transaction: Transaction,
  ): Promise<Refund[]> {
    const due = { field: 'dueAt', filter: { provider }, counter: 'checks' } as const;
    return (await claimDue<RefundRecord>(this.refunds, due, { now, leaseUntil, limit }, transaction)).map(fromStored);
  }

  /** Sets when a refund is checked next; null: never. */
  async schedule(shopId: string, id: string, dueAt: Date | null, transaction: Transaction): Promise<void> {
    await this.refunds.updateOne({ _id: id, shopId }, { $set: { dueAt } }, { session: transaction });
  }

  /** What the records have about buyers. */
  personalData(): PersonalData {
    return aboutOrders<RefundRecord>(this.refunds, 'orderId', {
      reason: 'sentence',
      ...nameless('provider', 'paymentId', 'currency', 'principal', 'refundId', 'failure'),
    });
  }

  /** The refunds of the last day. */
  totals(): Totals<'refunds_last_day'> {
    return {
      gauges: {
        refunds_last_day: {
          help: 'Refunds that staff requested in the last day, by provider and state',
          labels: ['provider', 'state'],
        },
      },
      read: async (now, maxTimeMS) => ({
        refunds_last_day: await counts(
          this.refunds,
          madeInLast(DAY_MS, now),
          { provider: '$provider', state: '$state' },
          maxTimeMS,
        ),
      }),
    };
  }
}
