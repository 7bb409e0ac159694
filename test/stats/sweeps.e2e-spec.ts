import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import {
  ROLLUP_STATE_MODEL,
  type RollupStateRecord,
  rollupStateSchema,
} from '../../src/analytics/stats/rollups/rollup-state.schema.js';
import { RollupStatesRepository } from '../../src/analytics/stats/rollups/rollup-states.repository.js';
import { shopsInOrder } from '../../src/analytics/stats/rollups/shops-in-order.js';
import {
  LEDGER_ENTRY_MODEL,
  type LedgerEntryRecord,
  ledgerEntrySchema,
} from '../../src/orders/ledger/ledger-entry.schema.js';
import { LedgerRepository } from '../../src/orders/ledger/ledger.repository.js';
import { RecordedOrdersRepository } from '../../src/orders/ledger/recorded-orders.repository.js';
import { ORDER_MODEL, type OrderRecord, orderSchema } from '../../src/orders/order/order.schema.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';

const shop = (number: number): string => number.toString(16).padStart(24, '0');

let store: TestStore;
let states: RollupStatesRepository;
let ledger: LedgerRepository;
let orders: RecordedOrdersRepository;

beforeAll(async () => {
  store = await openTestStore();
  const stateModel = await openModel<RollupStateRecord>(store.connection, ROLLUP_STATE_MODEL, rollupStateSchema);
  const entryModel = await openModel<LedgerEntryRecord>(store.connection, LEDGER_ENTRY_MODEL, ledgerEntrySchema);
  const orderModel = await openModel<OrderRecord>(store.connection, ORDER_MODEL, orderSchema);
  states = new RollupStatesRepository(stateModel);
  ledger = new LedgerRepository(entryModel);
  orders = new RecordedOrdersRepository(orderModel);
});
afterAll(() => store.close());

/** Stores a record of each of these shops, in this order. */
const insert = async (
  collection: string,
  records: readonly (readonly [number: number, fields: object])[],
): Promise<void> => {
  const documents = records.map(([number, fields]) => ({ shopId: new ObjectId(shop(number)), ...fields }));
  await store.connection.collection(collection).insertMany(documents);
};
/** The shops of a sweep. It ends after 10, so that one that finds a shop twice does not hang. */
const visited = async (next: (after: string | null) => Promise<string | null>): Promise<string[]> => {
  const found: string[] = [];
  for await (const shopId of shopsInOrder(next)) if (found.push(shopId) === 10) break;
  return found;
};

// A sweep continues after the shop that it has found: one that does not find the lowest id first skips shops in each round.
it('finds each shop with incomplete statistics once, in whichever phase it is', async () => {
  await insert('stats_states', [
    [4, { phase: 'clearing' }],
    [2, { phase: 'reading' }],
    [5, { phase: 'ready' }],
    [1, { phase: 'clearing' }],
    [3, { phase: 'reading' }],
  ]);
  expect(await visited((after) => states.nextUnfinished(after))).toEqual([1, 2, 3, 4].map(shop));
});

it('finds each shop with pending entries of the ledger once, whichever entry is older', async () => {
  await insert('stats_ledger', [
    [3, { pending: true }],
    [1, { pending: true }],
    [3, { pending: true }],
    [4, { pending: false }],
    [2, { pending: true }],
  ]);
  expect(await visited((after) => ledger.nextPendingShop(after))).toEqual([1, 2, 3].map(shop));
});

it('finds each shop with orders once, whichever order is older', async () => {
  // The indexes of the token and of the number of an order are unique.
  const order = (day: number) => ({
    createdAt: new Date(Date.UTC(2026, 10, day)),
    accessTokenHash: String(day),
    number: day,
  });
  await insert('orders', [
    [3, order(1)],
    [1, order(2)],
    [3, order(4)],
    [2, order(3)],
  ]);
  expect(await visited((after) => orders.nextShop(after))).toEqual([1, 2, 3].map(shop));
});
