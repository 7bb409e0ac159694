import { beforeEach, describe, expect, it } from '@jest/globals';
import { directTransactions, FakeAudit, TRANSACTION } from '../../test/support/fakes.js';
import { MINUTE_MS } from '../common/time/durations.js';
import { type AppConfig } from '../config/app-config.js';
import { type Transaction } from '../database/transactions.js';
import { type RedemptionsService } from '../redemptions/redemptions.service.js';
import { OrderExpiryService } from './order-expiry.service.js';
import { type HistoryEntry } from './order.types.js';
import { type OrdersRepository } from './orders.repository.js';

const SHOP = '655f1c2ab1e4a9d3f0c81234';
const OTHER_SHOP = '655f1c2ab1e4a9d3f0c81235';
const config = { sweepIntervalMs: MINUTE_MS } as AppConfig;

let overdue: { id: string; shopId: string }[];
let paidMeanwhile: string | null;
let expired: { shopId: string; id: string; history: HistoryEntry }[];
let released: string[];
let transactions: Transaction[];
let audit: FakeAudit;
let service: OrderExpiryService;

beforeEach(() => {
  overdue = [
    { id: 'first', shopId: SHOP },
    { id: 'second', shopId: OTHER_SHOP },
  ];
  paidMeanwhile = null;
  [expired, released, transactions] = [[], [], []];
  audit = new FakeAudit();
  const orders = {
    findOverdue: (now: Date, limit: number) =>
      Promise.resolve(Math.abs(now.getTime() - Date.now()) < MINUTE_MS ? overdue.slice(0, limit) : []),
    expire: (shopId: string, id: string, history: HistoryEntry, transaction: Transaction) => {
      transactions.push(transaction);
      if (id === paidMeanwhile) return Promise.resolve(false);
      expired.push({ shopId, id, history });
      return Promise.resolve(true);
    },
  } as unknown as OrdersRepository;
  const redemptions = {
    release: (shopId: string, id: string, transaction: Transaction) => {
      transactions.push(transaction);
      return Promise.resolve(void released.push(`${shopId} ${id}`));
    },
  } as unknown as RedemptionsService;
  service = new OrderExpiryService(orders, redemptions, audit.asService, directTransactions, config);
});

describe('a round of the order expiry', () => {
  it('ends each overdue order in its own shop, gives back its discount use and records it', async () => {
    await service.sweep();
    const history = { at: expect.any(Date), actor: 'system', action: 'expired', detail: null };
    expect(expired).toEqual([
      { shopId: SHOP, id: 'first', history },
      { shopId: OTHER_SHOP, id: 'second', history },
    ]);
    expect(released).toEqual([`${SHOP} first`, `${OTHER_SHOP} second`]);
    expect(audit.entries).toEqual([
      { author: { shopId: SHOP, principal: 'system' }, action: 'order.expired', subjectId: 'first' },
      { author: { shopId: OTHER_SHOP, principal: 'system' }, action: 'order.expired', subjectId: 'second' },
    ]);
    for (const transaction of [...transactions, ...audit.transactions]) expect(transaction).toBe(TRANSACTION);
  });

  it('leaves an order alone that was paid in the meantime', async () => {
    paidMeanwhile = 'first';
    await service.sweep();
    expect(released).toEqual([`${OTHER_SHOP} second`]);
    expect(audit.entries.map(({ subjectId }) => subjectId)).toEqual(['second']);
  });

  it('ends at most 100 orders', async () => {
    overdue = Array.from({ length: 101 }, (_, index) => ({ id: `order ${index}`, shopId: SHOP }));
    await service.sweep();
    expect(expired).toHaveLength(100);
  });
});
