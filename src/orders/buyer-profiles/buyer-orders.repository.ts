import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type QueryFilter, trusted } from 'mongoose';
import { type BuyerKeys } from '../../domain/buyers/buyer-keys.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { ORDER_MODEL, type OrderRecord } from '../order/order.schema.js';
import { DISPUTE_EVENTS } from '../order/payment-event.types.js';
import { ORDER_ORIGINS } from '../order/order.types.js';
import { isSale } from '../order/order-rules.js';
import { type DisputedOrder, MAX_ORDERS, type OrdersOfProfile, type ProfileName } from './buyer-profile.types.js';
import { keysOf } from './profile-rules.js';

const SALES = ORDER_ORIGINS.filter((origin) => isSale({ origin }));
const DISPUTE_FIELDS = { number: 1, payments: 1 } as const;
const NAME_FIELDS = { _id: 0, nickname: 1, email: 1, nicknameKey: 1, buyerKey: 1 } as const;

const wasPaid = (): { $gt: Date } => trusted({ $gt: new Date(0) });

/** The names in an order, as they are compared and as they were typed. */
export type NamesOfOrder = BuyerKeys & Pick<OrderRecord, 'nickname' | 'email'>;

/** Reads the sales of one buyer. Each read ends after a fixed number of orders. */
@Injectable()
export class BuyerOrdersRepository {
  constructor(@InjectModel(ORDER_MODEL) private readonly orders: Model<OrderRecord>) {}

  /** What the orders of a buyer say now. @param except orders that no longer count */
  async stateOf(
    shopId: string,
    name: ProfileName,
    except: readonly string[],
    transaction: Transaction,
  ): Promise<OrdersOfProfile> {
    const ofBuyer = {
      shopId,
      ...keysOf(name),
      ...(except.length === 0 ? {} : { _id: trusted({ $nin: [...except] }) }),
    };
    const read = (filter: QueryFilter<OrderRecord>, sort: Record<string, 1 | -1>) =>
      this.orders
        .findOne({ ...ofBuyer, ...filter }, { createdAt: 1, paidAt: 1, nickname: 1, email: 1 })
        .sort(sort)
        .session(transaction)
        .lean();
    const latest = await read({ origin: oneOf(SALES) }, { createdAt: -1, _id: -1 });
    const first = await read({ paidAt: wasPaid() }, { paidAt: 1 });
    const last = first && (await read({ paidAt: wasPaid() }, { paidAt: -1 }));
    return {
      nickname: latest?.nickname ?? null,
      email: latest?.email ?? null,
      firstPurchaseAt: first?.paidAt ?? null,
      lastPurchaseAt: last?.paidAt ?? null,
      lastOrderAt: latest?.createdAt ?? null,
    };
  }

  /** The buyers of some orders. */
  async keysOf(shopId: string, orderIds: readonly string[]): Promise<BuyerKeys[]> {
    return this.orders
      .find({ shopId, _id: oneOf(orderIds) }, { _id: 0, buyerKey: 1, nicknameKey: 1 })
      .lean<BuyerKeys[]>()
      .exec();
  }

  /** The names in the latest orders of a buyer, newest first. */
  latestNames(shopId: string, name: ProfileName): Promise<NamesOfOrder[]> {
    return this.orders
      .find({ shopId, ...keysOf(name) }, NAME_FIELDS)
      .sort({ createdAt: -1, _id: -1 })
      .limit(MAX_ORDERS)
      .lean<NamesOfOrder[]>()
      .exec();
  }

  /** The orders of a buyer with a dispute, at most `MAX_ORDERS` of them. */
  async disputed(shopId: string, name: ProfileName): Promise<DisputedOrder[]> {
    const records = await this.orders
      .find({ shopId, ...keysOf(name), 'payments.type': oneOf(DISPUTE_EVENTS) }, DISPUTE_FIELDS)
      .sort({ _id: -1 })
      .limit(MAX_ORDERS)
      .lean<Pick<OrderRecord, '_id' | keyof typeof DISPUTE_FIELDS>[]>();
    return records.map(fromStored);
  }
}
