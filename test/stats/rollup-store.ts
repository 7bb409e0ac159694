import { type ClientSession, type Collection, ObjectId } from 'mongodb';
import { ShopFiguresService } from '../../src/analytics/stats/reports/shop-figures.service.js';
import {
  BUYER_SUM_MODEL,
  type BuyerSumRecord,
  buyerSumSchema,
} from '../../src/analytics/stats/rollups/buyer-sum.schema.js';
import { BuyerSumsRepository } from '../../src/analytics/stats/rollups/buyer-sums.repository.js';
import { FoldingService } from '../../src/analytics/stats/rollups/folding.service.js';
import { RollupJobsService } from '../../src/analytics/stats/rollups/rollup-jobs.service.js';
import {
  ROLLUP_STATE_MODEL,
  type RollupStateRecord,
  rollupStateSchema,
} from '../../src/analytics/stats/rollups/rollup-state.schema.js';
import { RollupStatesRepository } from '../../src/analytics/stats/rollups/rollup-states.repository.js';
import { ROLLUP_MODEL, type RollupRecord, rollupSchema } from '../../src/analytics/stats/rollups/rollup.schema.js';
import { RollupsRepository } from '../../src/analytics/stats/rollups/rollups.repository.js';
import { RollupsService } from '../../src/analytics/stats/rollups/rollups.service.js';
import { SalesService } from '../../src/analytics/stats/rollups/sales.service.js';
import {
  LEDGER_ENTRY_MODEL,
  type LedgerEntryRecord,
  ledgerEntrySchema,
} from '../../src/orders/ledger/ledger-entry.schema.js';
import { LedgerRepository } from '../../src/orders/ledger/ledger.repository.js';
import { LedgerService } from '../../src/orders/ledger/ledger.service.js';
import { RecordedOrdersRepository } from '../../src/orders/ledger/recorded-orders.repository.js';
import { ORDER_MODEL, type OrderRecord, orderSchema } from '../../src/orders/order/order.schema.js';
import { type Transaction, type Transactions } from '../../src/infrastructure/database/transactions.js';
import { type ShopsService } from '../../src/shops/shops/shops.service.js';
import { FakeAudit, FakeJobs } from '../support/fakes.js';
import { shopWith } from '../support/shops.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';
import { asOrder, paymentsOf, type SoldOrder, store as storeOrders } from './sold-orders.js';

/** Of every shop of this store. */
export const TIMEZONE = 'Europe/Berlin';

/** An order with an id. Tests change it as payments do. */
export type Sold = SoldOrder & { readonly id: string };

/** The services of statistics on a real store. */
export interface RollupStore extends TestStore {
  readonly sales: SalesService;
  readonly rollups: RollupsService;
  readonly figures: ShopFiguresService;
  readonly jobs: FakeJobs;
  readonly audit: FakeAudit;
  readonly orders: Collection;
  /** Stores an order without its ledger entry. */
  placeUncounted(order: Sold): Promise<void>;
  place(order: Sold): Promise<void>;
  change(order: Sold, change: Partial<Sold>): Promise<void>;
  /** Runs rounds of the job until the rollups of all shops are complete. */
  fold(): Promise<void>;
}

const inSession = (transaction: Transaction): { session: ClientSession } => ({
  session: transaction,
});

/** @param databaseUri to share the database of a process */
export async function openRollups(databaseUri?: string, options = { watchCommands: false }): Promise<RollupStore> {
  const store = await openTestStore(databaseUri, options);
  const { connection } = store;
  const orderModel = await openModel<OrderRecord>(connection, ORDER_MODEL, orderSchema);
  const entryModel = await openModel<LedgerEntryRecord>(connection, LEDGER_ENTRY_MODEL, ledgerEntrySchema);
  const rollupModel = await openModel<RollupRecord>(connection, ROLLUP_MODEL, rollupSchema);
  const stateModel = await openModel<RollupStateRecord>(connection, ROLLUP_STATE_MODEL, rollupStateSchema);
  const sumModel = await openModel<BuyerSumRecord>(connection, BUYER_SUM_MODEL, buyerSumSchema);
  const transactions = { run: (work) => store.commit(work) } as Transactions;
  const ledger = new LedgerService(new LedgerRepository(entryModel), new RecordedOrdersRepository(orderModel));
  const cells = new RollupsRepository(rollupModel);
  const states = new RollupStatesRepository(stateModel);
  const audit = new FakeAudit();
  const sums = new BuyerSumsRepository(sumModel);
  const shops = { getIn: (shopId: string) => Promise.resolve(shopWith({ id: shopId, timezone: TIMEZONE })) };
  const folding = new FoldingService(cells, sums, shops as unknown as ShopsService);
  const rollups = new RollupsService(states, ledger, folding, sums, transactions, audit.asService);
  const sales = new SalesService(states, cells, sums, ledger, transactions);
  const figures = new ShopFiguresService(sales);
  const jobs = new FakeJobs();
  new RollupJobsService(states, ledger, rollups, transactions, jobs.asService);
  const orders = connection.collection('orders') as unknown as Collection;
  return {
    ...store,
    ...{ sales, rollups, figures, jobs, audit, orders },
    placeUncounted: (order) => storeOrders(orders, [order]),
    place: (order) =>
      store.commit(async (transaction) => {
        await storeOrders(orders, [order], inSession(transaction));
        await ledger.recordPlacement(order.shopId, [asOrder(order)], transaction);
      }),
    change: (before, change) =>
      store.commit(async (transaction) => {
        const after = { ...before, ...change };
        const { paidAt, isFirstPurchase, reversals } = after;
        const payments = paymentsOf(after);
        const set = { $set: { paidAt, isFirstPurchase, reversals: [...reversals], payments: [...payments] } };
        await orders.updateOne({ _id: new ObjectId(before.id) }, set, inSession(transaction));
        const { items } = asOrder(before);
        await ledger.recordChange(asOrder(before), { ...after, payments, items }, transaction);
      }),
    fold: async () => {
      for (let round = 0; round < 3; round++) await jobs.runRound('statistics');
    },
  };
}
