import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Document } from 'mongodb';
import { type Connection } from 'mongoose';
import { SERVER_MODEL, serverSchema, type GameServerRecord } from '../../src/catalogue/servers/server.schema.js';
import { ServersRepository } from '../../src/catalogue/servers/servers.repository.js';
import { AbandonedDeliveriesRepository } from '../../src/delivery/deliveries/abandoned-deliveries.repository.js';
import { DELIVERY_MODEL, type DeliveryRecord, deliverySchema } from '../../src/delivery/deliveries/delivery.schema.js';
import { OrderEndingRepository } from '../../src/orders/ending/order-ending.repository.js';
import { ORDER_MODEL, type OrderRecord, orderSchema } from '../../src/orders/order/order.schema.js';
import { OrdersRepository } from '../../src/orders/order/orders.repository.js';
import { PAYMENT_MODEL, type PaymentRecord, paymentSchema } from '../../src/payments/payments/payment.schema.js';
import { PaymentsRepository } from '../../src/payments/payments/payments.repository.js';
import { REFUND_MODEL, type RefundRecord, refundSchema } from '../../src/payments/refunds/refund.schema.js';
import { RefundsRepository } from '../../src/payments/refunds/refunds.repository.js';
import { type Transaction } from '../../src/infrastructure/database/transactions.js';
import { MINUTE_MS } from '../../src/lib/time/durations.js';
import { newObjectId } from '../../src/lib/ids/object-id.js';
import { newOrder } from '../orders/new-order.js';
import { SHOP } from '../support/contexts.js';
import { aDeliveryRecord } from '../support/delivery-records.js';
import { aPayment } from '../support/payments.js';
import { idOf } from '../support/records.js';
import { aRefund } from '../support/refunds.js';
import { serverWith } from '../support/servers.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';

/** What only a job does: claiming records of all shops whose time has come. */
interface Claims {
  readonly collection: string;
  /** The field with the due time. */
  readonly field: string;
  /** The field that counts the claims. */
  readonly counter?: string;
  /** Fields of records that nobody claims, whatever their due time. */
  readonly never: readonly Document[];
  readonly open: (connection: Connection) => Promise<ClaimedRecords>;
}

interface ClaimedRecords {
  /** Stores a record that can be claimed. @returns its id */
  readonly insert: (transaction: Transaction) => Promise<string>;
  readonly claim: (
    now: Date,
    until: Date,
    limit: number,
    transaction: Transaction,
  ) => Promise<readonly { readonly id: string }[]>;
}

const CLAIMS: Readonly<Record<string, Claims>> = {
  'overdue orders': {
    collection: 'orders',
    field: 'expiryDueAt',
    never: ['completed', 'expired', 'cancelled'].map((status) => ({ status })),
    open: async (connection) => {
      const model = await openModel<OrderRecord>(connection, ORDER_MODEL, orderSchema);
      const [orders, endings] = [new OrdersRepository(model), new OrderEndingRepository(model)];
      return {
        insert: async (transaction) => (await orders.insert(SHOP, newOrder(), transaction)).id,
        claim: (...lease) => endings.claimOverdue(...lease),
      };
    },
  },
  'deliveries whose last lease has ended': {
    collection: 'deliveries',
    field: 'dueAt',
    never: [{ attemptsLeft: 1 }, ...['queued', 'held', 'delivered', 'failed', 'revoked'].map((state) => ({ state }))],
    open: async (connection) => {
      const model = await openModel<DeliveryRecord>(connection, DELIVERY_MODEL, deliverySchema);
      const abandoned = new AbandonedDeliveriesRepository(model);
      const spent = { state: 'leased', attempt: 5, attemptsLeft: 0 } as const;
      return {
        insert: async (transaction) => {
          const record = await model.insertOne(aDeliveryRecord(spent), { session: transaction });
          return record._id.toHexString();
        },
        claim: (...lease) => abandoned.claim(...lease),
      };
    },
  },
  payments: {
    collection: 'payments',
    field: 'dueAt',
    counter: 'checks',
    never: [{ dueAt: null }, { provider: 'coinbase' }],
    open: async (connection) => {
      const model = await openModel<PaymentRecord>(connection, PAYMENT_MODEL, paymentSchema);
      const payments = new PaymentsRepository(model);
      const { provider, attempt, amountMinor, currency, successUrl, cancelUrl, ...times } = aPayment();
      const { createdAt, orderExpiresAt } = times;
      const values = { provider, attempt, amountMinor, currency, successUrl, cancelUrl, createdAt, orderExpiresAt };
      return {
        insert: async (transaction) => {
          const payment = await payments.insert(SHOP, { ...values, orderId: newObjectId() }, transaction);
          return payment.id;
        },
        claim: (...lease) => payments.claimDue(provider, ...lease),
      };
    },
  },
  refunds: {
    collection: 'refunds',
    field: 'dueAt',
    counter: 'checks',
    never: [{ dueAt: null }, { provider: 'coinbase' }],
    open: async (connection) => {
      const model = await openModel<RefundRecord>(connection, REFUND_MODEL, refundSchema);
      const refunds = new RefundsRepository(model);
      return {
        insert: async (transaction) => {
          const { shopId, ...values } = aRefund({ id: newObjectId(), orderId: newObjectId() });
          return (await refunds.insert(shopId, values, transaction)).id;
        },
        claim: (...lease) => refunds.claimDue(aRefund().provider, ...lease),
      };
    },
  },
  'deleted servers': {
    collection: 'game_servers',
    field: 'deliveriesEndAt',
    never: [{ deliveriesEndAt: null }],
    open: async (connection) => {
      const model = await openModel<GameServerRecord>(connection, SERVER_MODEL, serverSchema);
      const servers = new ServersRepository(model);
      const { id: _id, shopId, ...values } = serverWith();
      return {
        insert: async (transaction) => {
          const { id } = await servers.insert(shopId, values, transaction);
          await servers.archive(shopId, id, new Date(0), transaction);
          return id;
        },
        claim: (...lease) => servers.claimDeleted(...lease),
      };
    },
  },
  'servers whose usual time until a delivery is due': {
    collection: 'game_servers',
    field: 'timesDueAt',
    never: [{ archivedAt: new Date(0) }],
    open: async (connection) => {
      const model = await openModel<GameServerRecord>(connection, SERVER_MODEL, serverSchema);
      const servers = new ServersRepository(model);
      const { id: _id, shopId, ...values } = serverWith();
      return {
        insert: async (transaction) => (await servers.insert(shopId, values, transaction)).id,
        claim: (...lease) => servers.claimTimed(...lease),
      };
    },
  },
};

const NOW = new Date('2026-11-22T12:00:00.000Z');
const UNTIL = new Date(NOW.getTime() + 2 * MINUTE_MS);
const after = (time: Date, ms: number): Date => new Date(time.getTime() + ms);

describe.each(Object.entries(CLAIMS))('the claim of %s', (_what, { collection, field, counter, never, open }) => {
  let store: TestStore;
  let records: ClaimedRecords;

  /** Stores a record that is due at a time. @returns its id */
  const add = async (dueAt: Date, fields: Document = {}): Promise<string> => {
    const id = await store.commit((transaction) => records.insert(transaction));
    await store.connection.collection(collection).updateOne({ _id: idOf(id) }, { $set: { [field]: dueAt, ...fields } });
    return id;
  };
  const claim = async (now = NOW, limit = 10, until = UNTIL): Promise<string[]> => {
    const claimed = await store.commit((transaction) => records.claim(now, until, limit, transaction));
    return claimed.map(({ id }) => id);
  };
  const stored = (id: string): Promise<Document | null> =>
    store.connection.collection(collection).findOne({ _id: idOf(id) });

  beforeAll(async () => {
    store = await openTestStore();
    records = await open(store.connection);
  });
  beforeEach(() => store.connection.collection(collection).deleteMany({}));
  afterAll(() => store.close());

  it('returns what is due now, the longest due first, and nothing that is due a millisecond later', async () => {
    const [now, earlier, longest] = [await add(NOW), await add(after(NOW, -1)), await add(after(NOW, -MINUTE_MS))];
    const later = await add(after(NOW, 1));
    for (const fields of never) await add(after(NOW, -1), fields);
    expect(await claim()).toEqual([longest, earlier, now]);
    expect(await claim(after(NOW, 1))).toEqual([later]);
  });

  it('returns at most as many as the limit, and leaves the others to the next claim', async () => {
    const [second, third, first] = [await add(after(NOW, -2)), await add(NOW), await add(after(NOW, -3))];
    expect(await claim(NOW, 2)).toEqual([first, second]);
    expect(await claim(NOW, 2)).toEqual([third]);
    expect(await claim(NOW, 2)).toEqual([]);
  });

  it('returns each of several records that are due at one time once, whichever of them a limit leaves to the next claim', async () => {
    const ids = [await add(NOW), await add(NOW), await add(NOW)];
    const claimed = [await claim(NOW, 1), await claim(NOW, 1), await claim(NOW, 2), await claim(NOW, 1)];
    expect(claimed.map(({ length }) => length)).toEqual([1, 1, 1, 0]);
    expect(claimed.flat().sort()).toEqual(ids.sort());
  });

  it('keeps what it returns from other claims until its time is over', async () => {
    const id = await add(NOW);
    expect(await claim()).toEqual([id]);
    expect(await claim(after(UNTIL, -1))).toEqual([]);
    expect(await claim(UNTIL, 10, after(UNTIL, 5))).toEqual([id]);
    expect(await claim(after(UNTIL, 4))).toEqual([]);
    expect(await claim(after(UNTIL, 5))).toEqual([id]);
  });

  it('gives each record to one of many parallel claims', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 12; count++) ids.push(await add(after(NOW, -count)));
    const claimed = (await Promise.all(Array.from({ length: 8 }, () => claim(NOW, 3)))).flat();
    expect(new Set(claimed).size).toBe(claimed.length);
    expect([...claimed, ...(await claim(NOW, 12))].sort()).toEqual(ids.sort());
  });

  it('changes only the due time of what it returns and the number of its claims, with its transaction', async () => {
    const [id, waits] = [await add(NOW), await add(after(NOW, 1))];
    const [before, beforeWaits] = [await stored(id), await stored(waits)];
    await store.rollBack((transaction) => records.claim(NOW, UNTIL, 10, transaction));
    expect(await stored(id)).toEqual(before);
    await claim();
    const counted = counter === undefined ? {} : { [counter]: 1 };
    expect(await stored(id)).toEqual({ ...before, [field]: UNTIL, ...counted });
    expect(await stored(waits)).toEqual(beforeWaits);
  });
});
