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
import { HOUR_MS } from '../../lib/time/durations.js';
import { PAYMENT_MODEL, type PaymentRecord } from './payment.schema.js';
import { type Payment, PAYMENT_STATE_TRANSITIONS } from './payment.types.js';
import { type CreatedPayment } from '../providers/provider.js';

@Injectable()
export class PaymentsRepository {
  constructor(@InjectModel(PAYMENT_MODEL) private readonly payments: Model<PaymentRecord>) {}

  /** The latest attempt to pay an order with a provider, or null. */
  async findLatest(shopId: string, orderId: string, provider: string): Promise<Payment | null> {
    const record = await this.payments.findOne({ shopId, orderId, provider }).sort({ attempt: -1 }).lean();
    return record && fromStored(record);
  }

  /** All attempts to pay an order. */
  async listOf(shopId: string, orderId: string): Promise<Payment[]> {
    const records = await this.payments.find({ shopId, orderId }).sort({ provider: 1, attempt: 1 }).lean();
    return records.map(fromStored);
  }

  /** Which of these orders have an attempt to pay. */
  async ordersWithAttempts(
    shopId: string,
    orderIds: readonly string[],
    transaction: Transaction | null,
  ): Promise<string[]> {
    const records = await this.payments
      .find({ shopId, orderId: oneOf(orderIds) }, { orderId: 1 })
      .session(transaction)
      .lean();
    return records.map(({ orderId }) => orderId.toHexString());
  }

  /** The payment that a provider knows by this id, or null. */
  async findByPaymentId(provider: string, paymentId: string): Promise<Payment | null> {
    const record = await this.payments.findOne({ provider, paymentId }).lean();
    return record && fromStored(record);
  }

  /** @throws AppError state_conflict when the order has this attempt already */
  async insert(
    shopId: string,
    values: Omit<Payment, 'id' | 'shopId' | 'state' | 'dueAt' | 'checks' | keyof CreatedPayment>,
    transaction: Transaction,
  ): Promise<Payment> {
    const record = forInsert({ ...values, shopId, state: 'creating' as const });
    const insert = this.payments.insertOne(record, { session: transaction });
    return fromStored((await orDuplicate(insert, 'state_conflict')).toObject());
  }

  /**
   * Stores the response of the provider, and when to query it about the payment. Returns the payment; null when a response was
   * stored before, or the payment does not exist.
   */
  async markCreated(
    shopId: string,
    id: string,
    created: CreatedPayment & Pick<Payment, 'dueAt'>,
    transaction: Transaction,
  ): Promise<Payment | null> {
    const state = oneOf(statesBefore(PAYMENT_STATE_TRANSITIONS, 'created'));
    const record = await this.payments
      .findOneAndUpdate(
        { _id: id, shopId, state },
        { $set: { ...created, state: 'created' } },
        { session: transaction, returnDocument: 'after' },
      )
      .lean();
    return record && fromStored(record);
  }

  /** The payments of an order that a provider has created. There are at most `MAX_ATTEMPTS`. */
  async listCreated(shopId: string, orderId: string, provider: string): Promise<Payment[]> {
    const records = await this.payments.find({ shopId, orderId, provider, state: 'created' }).lean();
    return records.map(fromStored);
  }

  /** Whether payments of one of the providers are due. */
  async hasDue(providers: readonly string[], now: Date): Promise<boolean> {
    const due = { provider: oneOf(providers), dueAt: trusted({ $lte: now }) };
    return (await this.payments.exists(due)) !== null;
  }

  /** Claims payments of a provider, of all shops, that are due: see `claimDue`. */
  async claimDue(
    provider: string,
    now: Date,
    leaseUntil: Date,
    limit: number,
    transaction: Transaction,
  ): Promise<Payment[]> {
    const due = { field: 'dueAt', filter: { provider }, counter: 'checks' } as const;
    return (await claimDue<PaymentRecord>(this.payments, due, { now, leaseUntil, limit }, transaction)).map(fromStored);
  }

  /** Sets when the provider is queried about a payment that it has created, with a new count of checks. */
  async scheduleCreated(
    shopId: string,
    orderId: string,
    { provider, paymentId }: { readonly provider: string; readonly paymentId: string },
    dueAt: Date,
    transaction: Transaction,
  ): Promise<void> {
    const created = { shopId, orderId, provider, paymentId, state: 'created' as const };
    await this.payments.updateOne(created, { $set: { dueAt, checks: 0 } }, { session: transaction });
  }

  /** Sets when the provider is queried about a payment next; null: never. */
  async schedule(shopId: string, id: string, dueAt: Date | null, transaction: Transaction): Promise<void> {
    await this.payments.updateOne({ _id: id, shopId }, { $set: { dueAt } }, { session: transaction });
  }

  /** What the records have about buyers. */
  personalData(): PersonalData {
    return aboutOrders<PaymentRecord>(this.payments, 'orderId', {
      successUrl: 'query',
      cancelUrl: 'query',
      ...nameless('provider', 'currency', 'paymentId', 'url'),
    });
  }

  /** The attempts to pay of the last hour. */
  totals(): Totals<'payment_attempts_last_hour'> {
    return {
      gauges: {
        payment_attempts_last_hour: {
          help: 'Attempts to pay in the last hour, by provider and state (creating: not confirmed by the provider)',
          labels: ['provider', 'state'],
        },
      },
      read: async (now, maxTimeMS) => ({
        payment_attempts_last_hour: await counts(
          this.payments,
          madeInLast(HOUR_MS, now),
          { provider: '$provider', state: '$state' },
          maxTimeMS,
        ),
      }),
    };
  }
}
