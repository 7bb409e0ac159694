import { type Model } from 'mongoose';
import {
  ORDER_COUNTER_MODEL,
  type OrderCounterRecord,
  orderCounterSchema,
} from '../../src/orders/order/order-counter.schema.js';
import { ORDER_MODEL, type OrderRecord, orderSchema } from '../../src/orders/order/order.schema.js';
import { OrderEndingRepository } from '../../src/orders/ending/order-ending.repository.js';
import { type NewOrder, type Order } from '../../src/orders/order/order.types.js';
import { OrdersRepository } from '../../src/orders/order/orders.repository.js';
import { OrderPlacementRepository } from '../../src/orders/checkout/order-placement.repository.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';
import { newOrder } from './new-order.js';

/** A store with the indexes of orders, and the repositories on it. */
export interface StoredOrders extends TestStore {
  readonly records: Model<OrderRecord>;
  readonly counters: Model<OrderCounterRecord>;
  readonly orders: OrdersRepository;
  readonly placement: OrderPlacementRepository;
  readonly endings: OrderEndingRepository;
  /** Stores an order in a transaction of its own. */
  insert(shopId: string, fields?: Partial<NewOrder>): Promise<Order>;
  /** Stores orders in a transaction of their own. */
  insertMany(shopId: string, orders: readonly NewOrder[]): Promise<void>;
  find(shopId: string, orderId: string): Promise<Order | null>;
  /** Sets fields of a stored order past the repository. */
  set(orderId: string, fields: Partial<OrderRecord>): Promise<unknown>;
}

export async function openOrders(): Promise<StoredOrders> {
  const store = await openTestStore();
  const records = await openModel<OrderRecord>(store.connection, ORDER_MODEL, orderSchema);
  const counters = await openModel<OrderCounterRecord>(store.connection, ORDER_COUNTER_MODEL, orderCounterSchema);
  const orders = new OrdersRepository(records);
  return {
    ...store,
    records,
    counters,
    orders,
    placement: new OrderPlacementRepository(records),
    endings: new OrderEndingRepository(records),
    insert: (shopId, fields) => store.commit((transaction) => orders.insert(shopId, newOrder(fields), transaction)),
    insertMany: (shopId, many) => store.commit((transaction) => orders.insertMany(shopId, many, transaction)),
    find: (shopId, orderId) => store.commit((transaction) => orders.find(shopId, orderId, transaction)),
    set: (orderId, fields) => records.updateOne({ _id: orderId }, { $set: fields }),
  };
}
