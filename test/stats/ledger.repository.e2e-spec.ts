import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  LEDGER_ENTRY_MODEL,
  type LedgerEntryRecord,
  ledgerEntrySchema,
} from '../../src/orders/ledger/ledger-entry.schema.js';
import { LedgerRepository } from '../../src/orders/ledger/ledger.repository.js';
import { type LedgerEntry, type StoredLedgerEntry, type TimeRange } from '../../src/orders/ledger/ledger.types.js';
import { MINUTE_MS } from '../../src/lib/time/durations.js';
import { newObjectId } from '../../src/lib/ids/object-id.js';
import { OTHER_SHOP, SHOP } from '../support/contexts.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';

const EVERYTHING = { currency: 'EUR', serverId: null, productId: null };
const EDGE_MS = Date.UTC(2026, 10, 21, 12);
const EDGE = { fromMs: EDGE_MS, toMs: EDGE_MS + MINUTE_MS };

let store: TestStore;
let ledger: LedgerRepository;

beforeAll(async () => {
  store = await openTestStore();
  const model = await openModel<LedgerEntryRecord>(store.connection, LEDGER_ENTRY_MODEL, ledgerEntrySchema);
  ledger = new LedgerRepository(model);
});
afterAll(() => store.close());

/** An order that was paid at a time. */
const paidAt = (buyerKey: string, atMs: number): LedgerEntry => ({
  ...{
    orderId: newObjectId(),
    currency: 'EUR',
    serverId: null,
    buyerKey,
    nicknameKey: 'steve',
    items: [],
    itemCount: 0,
  },
  ...{ subtotalMinor: 100, discountCode: null, discountMinor: 0, totalMinor: 100 },
  events: [{ kind: 'paid', at: new Date(atMs), amountMinor: 100, lines: [], count: 1, provider: 'custom' }],
});
const insert = (entries: readonly LedgerEntry[], shopId = SHOP): Promise<void> =>
  store.commit((transaction) => ledger.insertMany(shopId, entries, true, transaction));
const pending = (): Promise<StoredLedgerEntry[]> =>
  store.commit((transaction) => ledger.pendingBatch(SHOP, 10, transaction));

it('selects the pending entries, and those with an event in a time range, each once', async () => {
  await insert([paidAt('folded, at the edge', EDGE_MS), paidAt('folded, elsewhere', EDGE.toMs)]);
  const folded = (await pending()).map(({ id }) => id);
  await store.commit((transaction) => ledger.markFolded(SHOP, folded, transaction));
  await insert([paidAt('pending, at the edge', EDGE_MS), paidAt('pending, elsewhere', EDGE.toMs)]);
  await insert([paidAt('of another shop', EDGE_MS)], OTHER_SHOP);
  const select = (timeRanges: readonly TimeRange[]): Promise<string[]> =>
    store.commit(async (transaction) => {
      const buyerKeys: string[] = [];
      const entries = ledger.select(SHOP, EVERYTHING, timeRanges, transaction);
      for await (const { buyerKey } of entries) buyerKeys.push(buyerKey);
      return buyerKeys.sort();
    });
  const unfolded = ['pending, at the edge', 'pending, elsewhere'];
  expect(await select([EDGE])).toEqual(['folded, at the edge', ...unfolded]);
  expect(await select([EDGE, EDGE])).toEqual(['folded, at the edge', ...unfolded]);
  expect(await select([])).toEqual(unfolded);
});
