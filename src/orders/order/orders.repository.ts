import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { nicknameKeyOf } from '../../domain/buyers/buyer-keys.js';
import { AppError } from '../../domain/errors/app-error.js';
import { statesBefore, type Transitions } from '../../lib/states/transitions.js';
import { type NamingFields, nameless } from '../../infrastructure/buyers/naming-fields.js';
import { aboutOrders, type PersonalData } from '../../infrastructure/buyers/personal-data.js';
import { orConflict, violatedIndex } from '../../infrastructure/database/database-errors.js';
import { madeInLast } from '../../infrastructure/database/made-in-last.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { forInsert, fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { counts, type Totals } from '../../infrastructure/totals/totals.js';
import { HOUR_MS } from '../../lib/time/durations.js';
import { withHistory } from './order-history.js';
import { DELIVERY_STATUS_BY_PAYMENT, ORDER_TRANSITIONS, RENAMABLE } from './order-transitions.js';
import { ORDER_MODEL, type OrderRecord } from './order.schema.js';
import { ORDER_FIELDS, WITHOUT_SLOTS } from './stored-order.js';
import {
  type BuyerOrder,
  type EmailedOrder,
  type HistoryEntry,
  type NewOrder,
  NOTE,
  type Order,
  type PaymentStatus,
  type SettledChange,
} from './order.types.js';

/** A change with what also depends on other orders of the buyer, and on the time to pay. */
export interface StoredChange extends SettledChange {
  readonly isFirstPurchase: boolean | null;
  readonly awaitedUntil: Date | null;
  readonly expiryDueAt: Date;
}

/** Some orders of a buyer. */
export type OrdersOfBuyer =
  { readonly buyerKey: string } | { readonly nicknameKey: string } | { readonly ids: readonly string[] };

const BUYER_FIELDS = {
  ...{ number: 1, buyerKey: 1, nicknameKey: 1, email: 1, status: 1, paymentStatus: 1, deliveryStatus: 1, items: 1 },
} as const;

function toRecord(shopId: string, { id, ...order }: NewOrder) {
  return forInsert({
    ...order,
    _id: id,
    shopId,
    discountMinor: order.discount?.amountMinor ?? 0,
    expiryDueAt: order.expiresAt,
    expiryFailures: 0,
  });
}

/** A condition for a write that sets a state: the state is that one already, or one that may move there. */
function inStateBefore<State extends string>(table: Transitions<State>, to: State): { $in: State[] } {
  return oneOf([to, ...statesBefore(table, to)]);
}

/** The condition that an order was paid, whenever that was. */
const wasPaid = (): { $gt: Date } => trusted({ $gt: new Date(0) });

/**
 * Reads and writes orders. An order has no revision number: a change that depends on a read does both in one transaction, and the
 * database lets only one of two such transactions commit. The other one runs again and reads what the first one wrote.
 */
@Injectable()
export class OrdersRepository {
  constructor(@InjectModel(ORDER_MODEL) private readonly orders: Model<OrderRecord>) {}

  /**
   * @throws AppError idempotency_in_progress when there is an order with this id. An error that runs the transaction again when
   * another order has just taken one of the slots.
   */
  async insert(shopId: string, order: NewOrder, transaction: Transaction): Promise<Order> {
    try {
      await orConflict(this.orders.insertOne(toRecord(shopId, order), { session: transaction }));
    } catch (error) {
      // The id is taken only if the same request runs twice at once.
      if (violatedIndex(error) === '_id_') throw new AppError('idempotency_in_progress');
      throw error;
    }
    const { slots: _slots, accessTokenHash: _hash, ...placed } = order;
    return { ...placed, shopId };
  }

  /** Inserts many orders at once. */
  async insertMany(shopId: string, orders: readonly NewOrder[], transaction: Transaction): Promise<void> {
    const records = orders.map((order) => toRecord(shopId, order));
    await this.orders.insertMany(records, { session: transaction });
  }

  /** An order by its id alone, of any shop: for routes without a shop in their path. The caller must check another proof. */
  async findPublic(orderId: string, transaction: Transaction | null): Promise<Order | null> {
    const record = await this.orders.findOne({ _id: orderId }, ORDER_FIELDS).session(transaction).lean();
    return record && fromStored(record);
  }

  /** The order with this id and access token. */
  async findByToken(orderId: string, accessTokenHash: string): Promise<Order | null> {
    const record = await this.orders.findOne({ _id: orderId, accessTokenHash }, ORDER_FIELDS).lean();
    return record && fromStored(record);
  }

  async find(shopId: string, orderId: string, transaction: Transaction | null): Promise<Order | null> {
    const record = await this.orders.findOne({ _id: orderId, shopId }, ORDER_FIELDS).session(transaction).lean();
    return record && fromStored(record);
  }

  async findByNumber(shopId: string, number: number): Promise<Order | null> {
    const record = await this.orders.findOne({ shopId, number }, ORDER_FIELDS).lean();
    return record && fromStored(record);
  }

  /** Orders of a shop by their ids; those that do not exist are left out. */
  async byIds(shopId: string, ids: readonly string[], transaction: Transaction | null): Promise<Order[]> {
    const filter = { _id: oneOf(ids), shopId };
    const records = await this.orders.find(filter, ORDER_FIELDS).session(transaction).lean();
    return records.map(fromStored);
  }

  /** The orders of a mailbox, those of a player, or certain orders: the oldest first. */
  async ofBuyer(shopId: string, of: OrdersOfBuyer, transaction: Transaction | null): Promise<BuyerOrder[]> {
    const filter = 'ids' in of ? { shopId, _id: oneOf(of.ids) } : { shopId, ...of };
    const records = await this.orders.find(filter, BUYER_FIELDS).sort({ _id: 1 }).session(transaction).lean();
    return records.map(fromStored);
  }

  /** The latest orders of a mailbox, newest first. */
  async latestOf(shopId: string, buyerKey: string, limit: number, transaction: Transaction): Promise<EmailedOrder[]> {
    const records = await this.orders
      .find({ shopId, buyerKey }, { email: 1, createdAt: 1, items: 1 })
      .sort({ createdAt: -1, _id: -1 })
      .limit(limit)
      .session(transaction)
      .lean();
    return records.map(fromStored);
  }

  /** When a mailbox has paid another order in the shop for the first time; null when it never has. */
  async earliestPayment(
    shopId: string,
    buyerKey: string,
    exceptOrderId: string,
    transaction: Transaction,
  ): Promise<Date | null> {
    const earliest = await this.orders
      .findOne({ shopId, buyerKey, paidAt: wasPaid(), _id: trusted({ $ne: exceptOrderId }) }, { paidAt: 1 })
      .sort({ paidAt: 1 })
      .session(transaction)
      .lean();
    return earliest?.paidAt ?? null;
  }

  /**
   * Unmarks another order of a mailbox that was its first purchase.
   * @returns the order as it was before; null when there was none
   */
  async endFirstPurchase(
    shopId: string,
    buyerKey: string,
    exceptOrderId: string,
    transaction: Transaction,
  ): Promise<Order | null> {
    const other = { shopId, buyerKey, isFirstPurchase: true, _id: trusted({ $ne: exceptOrderId }) };
    const ended = { $set: { isFirstPurchase: false } };
    const record = await this.orders
      .findOneAndUpdate(other, ended, { session: transaction, returnDocument: 'before', projection: ORDER_FIELDS })
      .lean();
    return record && fromStored(record);
  }

  /**
   * Sets the payment events of an order and the states that follow from them.
   * @param moves of the payment: those of events, or those of a decision of staff
   * @returns false when a state of the order must not move to the new one
   */
  async settle(
    shopId: string,
    orderId: string,
    change: StoredChange,
    moves: Transitions<PaymentStatus>,
    transaction: Transaction,
  ): Promise<boolean> {
    const { payments, reversals, missing, review, history, ...states } = change;
    const { status, paymentStatus, deliveryStatus } = states;
    const mayMove = {
      _id: orderId,
      shopId,
      status: inStateBefore(ORDER_TRANSITIONS, status),
      paymentStatus: inStateBefore(moves, paymentStatus),
      deliveryStatus: inStateBefore(DELIVERY_STATUS_BY_PAYMENT, deliveryStatus),
    };
    const settled = {
      $set: forInsert({
        ...states,
        payments,
        reversals,
        ...(missing && { missing }),
        ...(review === null ? {} : { review }),
      }),
      $push: withHistory([history]),
      ...(status === 'open' ? {} : WITHOUT_SLOTS),
    };
    const { matchedCount } = await this.orders.updateOne(mayMove, settled, { session: transaction });
    return matchedCount === 1;
  }

  /** Adds an entry to the history of an order. In parallel transactions that add one, only one commits at a time. */
  async addHistory(shopId: string, orderId: string, entry: HistoryEntry, transaction: Transaction): Promise<void> {
    await this.orders.updateOne({ _id: orderId, shopId }, { $push: withHistory([entry]) }, { session: transaction });
  }

  /** Changes the nickname. @returns false when the delivery status does not allow it (`RENAMABLE`) */
  async rename(
    shopId: string,
    orderId: string,
    nickname: string,
    history: HistoryEntry,
    transaction: Transaction,
  ): Promise<boolean> {
    const waiting = { _id: orderId, shopId, deliveryStatus: oneOf(RENAMABLE) };
    const names = { nickname, nicknameKey: nicknameKeyOf(nickname) };
    const renamed = { $set: names, $push: withHistory([history]) };
    const { matchedCount } = await this.orders.updateOne(waiting, renamed, { session: transaction });
    return matchedCount === 1;
  }

  /** What the records have about buyers. */
  personalData(): PersonalData {
    const names: NamingFields<OrderRecord> = {
      nickname: 'nickname',
      nicknameKey: 'player',
      email: 'mailbox',
      buyerKey: 'mailbox',
      history: { detail: 'sentence', ...nameless('actor', 'action') },
      // A name that nothing else has: it is removed as a whole.
      withdrawal: null,
      ...nameless(
        'origin',
        'items',
        'discount',
        'currency',
        'payments',
        'missing',
        'review',
        'slots',
        'accessTokenHash',
        'consents',
      ),
    };
    return aboutOrders<OrderRecord>(this.orders, '_id', names, {
      scrubbed: (record, scrubber) => {
        const { withdrawal, ...rest } = scrubber.record(record, names);
        const history = rest.history.map((entry) => (entry.action === NOTE ? { ...entry, detail: null } : entry));
        const scrubbed = { ...rest, history };
        return withdrawal === undefined ? scrubbed : { ...scrubbed, withdrawal: { ...withdrawal, name: null } };
      },
    });
  }

  /** The orders of the last hour, and those that need a person. The latter have an index of their own. */
  totals(): Totals<'payments_last_hour' | 'orders_under_review'> {
    const { orders } = this;
    return {
      gauges: {
        payments_last_hour: {
          help: 'Orders of the last hour, by payment provider (none: no payment yet) and payment state',
          labels: ['provider', 'state'],
        },
        orders_under_review: {
          help: 'Orders that need a decision of staff or are disputed, by state',
          labels: ['state'],
        },
      },
      async read(now, maxTimeMS) {
        const provider = { $ifNull: [{ $arrayElemAt: ['$payments.provider', 0] }, 'none'] };
        const state = '$paymentStatus';
        const underReview = { paymentStatus: { $in: ['needs_review', 'disputed'] } };
        const [placed, waiting] = await Promise.all([
          counts(orders, { ...madeInLast(HOUR_MS, now), origin: { $ne: 'rehearsal' } }, { provider, state }, maxTimeMS),
          counts(orders, underReview, { state }, maxTimeMS),
        ]);
        return { payments_last_hour: placed, orders_under_review: waiting };
      },
    };
  }
}
