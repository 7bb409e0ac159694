import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type QueryFilter, trusted } from 'mongoose';
import { Page, type PageRequest } from '../../lib/paging/page.js';
import { timePositionOf } from '../../lib/paging/time-position.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { afterTime } from '../../infrastructure/database/paging.js';
import { fromStored } from '../../infrastructure/database/stored.js';
import { ORDER_MODEL, type OrderRecord } from '../order/order.schema.js';
import {
  DELIVERY_STATUSES,
  type Order,
  ORDER_STATUSES,
  type OrderSummary,
  type OrderWithPayments,
  PAYMENT_STATUSES,
} from '../order/order.types.js';
import { type OrderDate, type OrderFilter } from './order-search.types.js';
import { EXPORT_FIELDS, ORDER_FIELDS, SUMMARY_FIELDS } from '../order/stored-order.js';

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

  /** The orders of a shop that a filter finds, the latest first. */
  async list(shopId: string, only: Servers, filter: OrderFilter, page: PageRequest): Promise<Page<OrderSummary>> {
    const records = await this.matching(shopId, only, filter, page).select(SUMMARY_FIELDS).lean();
    return Page.of(records.map(fromStored), page.limit, positionIn(filter));
  }

  /** The same orders, with the money that arrived and went back. */
  async listWithPayments(
    shopId: string,
    only: Servers,
    filter: OrderFilter,
    page: PageRequest,
  ): Promise<Page<OrderWithPayments>> {
    const records = await this.matching(shopId, only, filter, page).select(EXPORT_FIELDS).lean();
    return Page.of(records.map(fromStored), page.limit, positionIn(filter));
  }

  private matching(shopId: string, only: Servers, filter: OrderFilter, page: PageRequest) {
    return this.orders
      .find({
        shopId,
        $and: [...within(only), ...conditionsOf(filter), ...afterTime(page, 'newestFirst', filter.dateField)],
      })
      .sort(sortOf(filter))
      .limit(page.limit + 1);
  }
}

/** Always one condition, because `$and` must not be empty. */
function within(only: Servers): QueryFilter<OrderRecord>[] {
  return only === null ? [{}] : [{ serverId: oneOf([null, ...only]) }];
}

const sortOf = ({ dateField = 'createdAt' }: OrderFilter): Record<string, -1> => ({ [dateField]: -1, _id: -1 });

/** A list by `paidAt` has no orders without it. */
const positionIn =
  ({ dateField = 'createdAt' }: OrderFilter) =>
  (order: Pick<Order, 'id' | OrderDate>): string =>
    timePositionOf({ createdAt: order[dateField] ?? order.createdAt, id: order.id });

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
 * whose orders are few, and not for a list by `paidAt`: there the indexes of the buyer and of that time are the better ones.
 */
function statusesOf(filter: OrderFilter): QueryFilter<OrderRecord>[] {
  const { status, paymentStatus, deliveryStatus, nicknameKey, buyerKey, dateField } = filter;
  const given = Object.entries({ status, paymentStatus, deliveryStatus }).filter(([, value]) => value !== undefined);
  if (given.length === 0) return [];
  if (nicknameKey !== undefined || buyerKey !== undefined || dateField === 'paidAt') return [Object.fromEntries(given)];
  return [
    {
      status: status ?? oneOf(ORDER_STATUSES),
      paymentStatus: paymentStatus ?? oneOf(PAYMENT_STATUSES),
      deliveryStatus: deliveryStatus ?? oneOf(DELIVERY_STATUSES),
    },
  ];
}

function timesOf({ dateField = 'createdAt', from, to }: OrderFilter): QueryFilter<OrderRecord>[] {
  // An order that was never paid has no `paidAt`.
  const earliest = from ?? (dateField === 'paidAt' ? new Date(0) : undefined);
  return [
    ...(earliest === undefined ? [] : [{ [dateField]: trusted({ $gte: earliest }) }]),
    ...(to === undefined ? [] : [{ [dateField]: trusted({ $lt: to }) }]),
  ];
}
