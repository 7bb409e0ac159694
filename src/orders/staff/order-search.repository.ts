import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type QueryFilter, trusted } from 'mongoose';
import { Page, type PageRequest } from '../../lib/paging/page.js';
import { timePositionOf } from '../../lib/paging/time-position.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { afterTime, BY_TIME } from '../../infrastructure/database/paging.js';
import { fromStored } from '../../infrastructure/database/stored.js';
import { ORDER_MODEL, type OrderRecord } from '../order/order.schema.js';
import {
  DELIVERY_STATUSES,
  type Order,
  ORDER_STATUSES,
  type OrderSummary,
  PAYMENT_STATUSES,
} from '../order/order.types.js';
import { type OrderFilter } from './order-search.types.js';
import { ORDER_FIELDS, SUMMARY_FIELDS } from '../order/stored-order.js';

/** Only orders of these servers and those for any server; null for all orders. */
type Servers = ReadonlySet<string> | null;

/** Searches the orders of a shop for its staff. */
@Injectable()
export class OrderSearchRepository {
  constructor(@InjectModel(ORDER_MODEL) private readonly orders: Model<OrderRecord>) {}

  async find(shopId: string, only: Servers, orderId: string): Promise<Order | null> {
    const record = await this.orders.findOne({ _id: orderId, shopId, $and: within(only) }, ORDER_FIELDS).lean();
    return record && fromStored(record);
  }

  async list(shopId: string, only: Servers, filter: OrderFilter, page: PageRequest): Promise<Page<OrderSummary>> {
    const records = await this.orders
      .find(
        { shopId, $and: [...within(only), ...conditionsOf(filter), ...afterTime(page, 'newestFirst')] },
        SUMMARY_FIELDS,
      )
      .sort(BY_TIME.newestFirst)
      .limit(page.limit + 1)
      .lean();
    return Page.of(records.map(fromStored), page.limit, timePositionOf);
  }
}

/** Always one condition, because `$and` must not be empty. */
function within(only: Servers): QueryFilter<OrderRecord>[] {
  return only === null ? [{}] : [{ serverId: oneOf([null, ...only]) }];
}

function conditionsOf(filter: OrderFilter): QueryFilter<OrderRecord>[] {
  const { nicknameKey, buyerKey, productId, serverId } = filter;
  return [
    ...statusesOf(filter),
    ...(nicknameKey === undefined ? [] : [{ nicknameKey }]),
    ...(buyerKey === undefined ? [] : [{ buyerKey }]),
    ...(productId === undefined ? [] : [{ 'items.productId': productId }]),
    ...(serverId === undefined ? [] : [{ serverId }]),
    ...timesOf(filter),
  ];
}

/**
 * When one status is given, all values of the others are named, so that one index serves every combination. Not for one buyer,
 * whose orders are few: there the index of the buyer is the better one.
 */
function statusesOf(filter: OrderFilter): QueryFilter<OrderRecord>[] {
  const { status, paymentStatus, deliveryStatus, nicknameKey, buyerKey } = filter;
  const given = Object.entries({ status, paymentStatus, deliveryStatus }).filter(([, value]) => value !== undefined);
  if (given.length === 0) return [];
  if (nicknameKey !== undefined || buyerKey !== undefined) return [Object.fromEntries(given)];
  return [
    {
      status: status ?? oneOf(ORDER_STATUSES),
      paymentStatus: paymentStatus ?? oneOf(PAYMENT_STATUSES),
      deliveryStatus: deliveryStatus ?? oneOf(DELIVERY_STATUSES),
    },
  ];
}

function timesOf({ from, to }: OrderFilter): QueryFilter<OrderRecord>[] {
  return [
    ...(from === undefined ? [] : [{ createdAt: trusted({ $gte: from }) }]),
    ...(to === undefined ? [] : [{ createdAt: trusted({ $lt: to }) }]),
  ];
}
