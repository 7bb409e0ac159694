import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type QueryFilter, trusted } from 'mongoose';
import { present } from '../../domain/errors/change.js';
import { Page, type PageRequest } from '../../lib/paging/page.js';
import { timePositionOf } from '../../lib/paging/time-position.js';
import { beginningWith } from '../../infrastructure/database/beginnings.js';
import { countListed } from '../../infrastructure/database/count-listed.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { afterTime } from '../../infrastructure/database/paging.js';
import { fromStored } from '../../infrastructure/database/stored.js';
import { ORDER_MODEL, type OrderRecord } from '../order/order.schema.js';
import {
  DELIVERY_STATUSES,
  type Order,
  ORDER_STATUSES,
  type OrderStatus,
  type OrderSummary,
  type OrderWithPayments,
  PAYMENT_STATUSES,
} from '../order/order.types.js';
import { type OrderDate, type OrderFilter } from './order-search.types.js';
import { type OrderStates } from './order-views.js';
import { EXPORT_FIELDS, ORDER_FIELDS, SUMMARY_FIELDS } from '../order/stored-order.js';

/** How many players a search by the beginning of their nickname finds at most. */
const MAX_PLAYERS = 20;
/** How many orders a step to the next players reads. */
const PLAYERS_READ = 50;

/** Only orders of these servers and those for any server; null for all orders. */
type Servers = ReadonlySet<string> | null;

/** One of the conditions of a search. */
type Lookup = QueryFilter<OrderRecord>;

/** Searches the orders of a shop for its staff. */
@Injectable()
export class OrderSearchRepository {
  constructor(@InjectModel(ORDER_MODEL) private readonly orders: Model<OrderRecord>) {}

  async find(shopId: string, only: Servers, orderId: string): Promise<Order | null> {
    const record = await this.orders.findOne({ _id: orderId, shopId, $and: within(only) }, ORDER_FIELDS).lean();
    return record && fromStored(record);
  }

  /** The orders of a shop that a filter finds, the latest first, and how many there are (`countListed`). */
  async list(shopId: string, only: Servers, filter: OrderFilter, page: PageRequest): Promise<Page<OrderSummary>> {
    const lookups = await this.lookupsOf(shopId, filter);
    const [total, ...parts] = await Promise.all([
      this.count(shopId, only, filter, lookups),
      ...readsOf(filter, lookups).map((read) =>
        this.matching(shopId, only, filter, read, page).select(SUMMARY_FIELDS).lean(),
      ),
    ]);
    const orders = parts.map((records) => records.map(fromStored));
    return Page.ofParts(orders, page, positionIn(filter)).counted(total);
  }

  /** The first orders of `list`. They are not counted. */
  async first(shopId: string, only: Servers, filter: OrderFilter, limit: number): Promise<readonly OrderSummary[]> {
    const page = { after: null, limit };
    const lookups = await this.lookupsOf(shopId, filter);
    const parts = await Promise.all(
      readsOf(filter, lookups).map((read) =>
        this.matching(shopId, only, filter, read, page).select(SUMMARY_FIELDS).lean(),
      ),
    );
    const orders = parts.map((records) => records.map(fromStored));
    return Page.ofParts(orders, page, positionIn(filter)).items;
  }

  /** The same orders, with the money that arrived and went back. They are not counted. */
  async listWithPayments(
    shopId: string,
    only: Servers,
    filter: OrderFilter,
    page: PageRequest,
  ): Promise<Page<OrderWithPayments>> {
    const lookups = await this.lookupsOf(shopId, filter);
    const parts = await Promise.all(
      readsOf(filter, lookups).map((read) =>
        this.matching(shopId, only, filter, read, page).select(EXPORT_FIELDS).lean(),
      ),
    );
    const orders = parts.map((records) => records.map(fromStored));
    return Page.ofParts(orders, page, positionIn(filter));
  }

  /** How many orders of a shop are in these states, at most up to a number. An index decides it. */
  countInStates(shopId: string, states: OrderStates, upTo: number): Promise<number> {
    const { status = ORDER_STATUSES, paymentStatus = PAYMENT_STATUSES, deliveryStatus = DELIVERY_STATUSES } = states;
    const filter = {
      status: oneOf(status),
      paymentStatus: oneOf(paymentStatus),
      deliveryStatus: oneOf(deliveryStatus),
    };
    return this.orders.countDocuments({ shopId, ...filter }, { limit: upTo });
  }

  private count(
    shopId: string,
    only: Servers,
    filter: OrderFilter,
    lookups: readonly Lookup[],
  ): Promise<number | null> {
    const conditions = { shopId, $and: [...within(only), ...conditionsOf(filter)] };
    // Alone it is no `$or`, so that an index can decide the whole filter.
    const isAlone = lookups.length === 1;
    const either = lookups.map((lookup) => ({
      ...lookup,
      ...(isAlone || isInStates(filter) ? statesOf(filter, lookup) : {}),
    }));
    return countListed(this.orders, { ...conditions, ...(isAlone ? either[0] : { $or: either }) });
  }

  private matching(shopId: string, only: Servers, filter: OrderFilter, read: Lookup, page: PageRequest) {
    const { oldestFirst = false } = page;
    const start = afterTime(page, oldestFirst ? 'oldestFirst' : 'newestFirst', filter.dateField);
    return this.orders
      .find({ shopId, ...read, $and: [...within(only), ...conditionsOf(filter), ...start] })
      .sort(sortOf(filter, oldestFirst ? 1 : -1))
      .limit(page.limit + 1);
  }

  /** The conditions of which an order meets one, at least one. */
  private async lookupsOf(shopId: string, { lookups = [] }: OrderFilter): Promise<Lookup[]> {
    const found = await Promise.all(
      lookups.map(async (lookup): Promise<Lookup[]> => {
        if ('id' in lookup) return [{ _id: lookup.id }];
        if ('number' in lookup) return [lookup];
        if ('paymentId' in lookup) return [{ 'payments.paymentId': lookup.paymentId }];
        if ('discountCode' in lookup) return [{ 'discount.code': lookup.discountCode }];
        if ('buyerKey' in lookup) return [lookup];
        const players = await this.playersFrom(shopId, lookup.nicknamePrefix);
        return players.size === 0 ? [] : [{ nicknameKey: oneOf(players) }];
      }),
    );
    return lookups.length === 0 ? [{}] : found.flat();
  }

  /**
   * The first players, in the order of their keys, whose key has this beginning. Each read continues behind the last player of the one
   * before, so that a player with many orders is passed in one step.
   */
  private async playersFrom(shopId: string, prefix: string): Promise<ReadonlySet<string>> {
    const players = new Set<string>();
    let from = beginningWith(prefix);
    while (players.size < MAX_PLAYERS) {
      const records = await this.orders
        .find({ shopId, nicknameKey: from }, { nicknameKey: 1 })
        .sort({ nicknameKey: 1 })
        .limit(PLAYERS_READ)
        .lean();
      for (const { nicknameKey } of records) if (players.size < MAX_PLAYERS) players.add(nicknameKey);
      const last = records.at(-1);
      if (last === undefined || records.length < PLAYERS_READ) break;
      from = beginningWith(prefix, last.nicknameKey);
    }
    return players;
  }
}

/** Always one condition, because `$and` must not be empty. */
function within(only: Servers): QueryFilter<OrderRecord>[] {
  return only === null ? [{}] : [{ serverId: oneOf([null, ...only]) }];
}

const sortOf = ({ dateField = 'createdAt' }: OrderFilter, way: 1 | -1): Record<string, 1 | -1> => ({
  [dateField]: way,
  _id: way,
});

/** A list by `paidAt` has no orders without it. */
const positionIn =
  ({ dateField = 'createdAt' }: OrderFilter) =>
  (order: Pick<Order, 'id' | OrderDate>): string =>
    timePositionOf({ createdAt: order[dateField] ?? order.createdAt, id: order.id });

function conditionsOf(filter: OrderFilter): QueryFilter<OrderRecord>[] {
  const { number, origin, nicknameKey, buyerKey, productId, serverId, paymentId, provider, discountCode } = filter;
  const fields = {
    number,
    origin,
    nicknameKey,
    buyerKey,
    serverId,
    'items.productId': productId,
    'payments.paymentId': paymentId,
    'payments.provider': provider,
    'discount.code': discountCode,
  };
  return [present(fields), ...timesOf(filter)];
}

const givenStates = ({ status, paymentStatus, deliveryStatus }: OrderFilter) =>
  present({ status, paymentStatus, deliveryStatus });
const isInStates = (filter: OrderFilter): boolean => Object.keys(givenStates(filter)).length > 0;

/**
 * Whether all values of the states that are not given are named, so that one index serves every combination. Not for one order, one
 * buyer, one payment or a search, whose orders are few, and not for a list by `paidAt`: there the other index is the better one. The
 * indexes of discount codes and payment providers have the states in any case.
 */
function namesStates(filter: OrderFilter, lookup: Lookup): boolean {
  const { number, nicknameKey, buyerKey, paymentId, provider, discountCode, lookups, dateField } = filter;
  if (dateField === 'paidAt') return false;
  if ('discount.code' in lookup) return true;
  if ([number, nicknameKey, buyerKey, paymentId, lookups].some((value) => value !== undefined)) return false;
  return [provider, discountCode].some((value) => value !== undefined) || isInStates(filter);
}

/** The condition on the states of the orders that a lookup finds. */
function statesOf(filter: OrderFilter, lookup: Lookup, statuses: readonly OrderStatus[] = ORDER_STATUSES): Lookup {
  if (!namesStates(filter, lookup)) return givenStates(filter);
  const { status, paymentStatus, deliveryStatus } = filter;
  return {
    status: status ?? oneOf(statuses),
    paymentStatus: paymentStatus ?? oneOf(PAYMENT_STATUSES),
    deliveryStatus: deliveryStatus ?? oneOf(DELIVERY_STATUSES),
  };
}

/** MongoDB merges at most 200 ranges of an index. All states of one half have 180 combinations. */
const HALVES = [ORDER_STATUSES.slice(0, 2), ORDER_STATUSES.slice(2)];

/** The lookups with the states of their orders. Each is read alone: ranges of one index, in the order of the list. */
function readsOf(filter: OrderFilter, lookups: readonly Lookup[]): Lookup[] {
  return lookups.flatMap((lookup) => {
    const parts = !isInStates(filter) && namesStates(filter, lookup) ? HALVES : [ORDER_STATUSES];
    return parts.map((statuses) => ({ ...lookup, ...statesOf(filter, lookup, statuses) }));
  });
}

function timesOf({ dateField = 'createdAt', from, to }: OrderFilter): QueryFilter<OrderRecord>[] {
  // An order that was never paid has no `paidAt`.
  const earliest = from ?? (dateField === 'paidAt' ? new Date(0) : undefined);
  return [
    ...(earliest === undefined ? [] : [{ [dateField]: trusted({ $gte: earliest }) }]),
    ...(to === undefined ? [] : [{ [dateField]: trusted({ $lt: to }) }]),
  ];
}
