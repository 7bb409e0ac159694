import { beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { FakeAudit, FakeShopEvents, FakeJobs, TRANSACTION, transactionsInTurns } from '../../../test/support/fakes.js';
import { MINUTE_MS } from '../../lib/time/durations.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { codeInShop } from '../../catalogue/discounts/discount-rules.js';
import { type ReservationsService } from '../reservations/reservations.service.js';
import { OrderEndingService } from './order-ending.service.js';
import { OrderExpiryService } from './order-expiry.service.js';
import { type HistoryEntry } from '../order/order.types.js';
import { type OrderEndingRepository, type OverdueOrder } from './order-ending.repository.js';

const SHOP = '655f1c2ab1e4a9d3f0c81234';
const OTHER_SHOP = '655f1c2ab1e4a9d3f0c81235';

/** Batches that `claimOverdue` returns, one after the other. */
let batches: OverdueOrder[][];
let claims: { now: Date; leaseUntil: Date; limit: number }[];
let paidMeanwhile: string | null;
let isDown: boolean;
/** Ids of orders that cannot be ended. */
let broken: Set<string>;
let expired: { shopId: string; id: string; history: HistoryEntry }[];
let postponed: { shopId: string; id: string; until: Date }[];
let released: string[];
let transactions: Transaction[];
/** The name of each transaction. Transactions of one name run one after the other. */
let queues: (string | undefined)[];
let audit: FakeAudit;
let jobs: FakeJobs;

const overdue = (id: string, fields: Partial<OverdueOrder> = {}): OverdueOrder => ({
  id,
  shopId: SHOP,
  discountCode: null,
  expiryFailures: 0,
  ...fields,
});

beforeEach(() => {
  Logger.overrideLogger(false);
  batches = [
    [
      overdue('first', { discountCode: 'WELCOME' }),
      overdue('second', { shopId: OTHER_SHOP, discountCode: 'WELCOME' }),
      overdue('third'),
    ],
  ];
  paidMeanwhile = null;
  isDown = false;
  broken = new Set();
  [claims, expired, postponed, released, transactions, queues] = [[], [], [], [], [], []];
  audit = new FakeAudit();
  const orders = {
    claimOverdue: (now: Date, leaseUntil: Date, limit: number, transaction: Transaction) => {
      if (isDown) return Promise.reject(new Error('the database is down'));
      transactions.push(transaction);
      claims.push({ now, leaseUntil, limit });
      return Promise.resolve(batches.shift() ?? []);
    },
    end: (shopId: string, ids: readonly string[], to: string, history: HistoryEntry, transaction: Transaction) => {
      expect(to).toBe('expired');
      transactions.push(transaction);
      if (ids.some((id) => broken.has(id))) return Promise.reject(new Error('the record is broken'));
      const ended = ids.filter((id) => id !== paidMeanwhile);
      expired.push(...ended.map((id) => ({ shopId, id, history })));
      return Promise.resolve(ended);
    },
    postponeExpiry: (shopId: string, id: string, until: Date, transaction: Transaction) => {
      transactions.push(transaction);
      return Promise.resolve(void postponed.push({ shopId, id, until }));
    },
  } as unknown as OrderEndingRepository;
  const reservations = {
    release: (shopId: string, ids: readonly string[], transaction: Transaction) => {
      transactions.push(transaction);
      return Promise.resolve(void released.push(`${shopId} ${ids.join(', ')}`));
    },
  } as unknown as ReservationsService;
  jobs = new FakeJobs();
  const ending = new OrderEndingService(orders, reservations, audit.asService, new FakeShopEvents().asService);
  new OrderExpiryService(orders, ending, transactionsInTurns(queues), jobs.asService);
});

/** By their orders: groups end at the same time. */
const sorted = (entries: FakeAudit['entries']): FakeAudit['entries'] =>
  [...entries].sort((left, right) => (String(left.subjectId) < String(right.subjectId) ? -1 : 1));

describe('the order-expiry job', () => {
  it('ends each overdue order in its own shop, releases what it holds, and records it', async () => {
    await jobs.runRound('order-expiry');
    const history = { at: expect.any(Date), actor: 'system', action: 'expired', detail: null };
    expect(expired).toEqual([
      { shopId: SHOP, id: 'first', history },
      { shopId: OTHER_SHOP, id: 'second', history },
      { shopId: SHOP, id: 'third', history },
    ]);
    expect(released.toSorted()).toEqual([`${SHOP} first`, `${SHOP} third`, `${OTHER_SHOP} second`]);
    expect(sorted(audit.entries)).toEqual([
      { author: { shopId: SHOP, principal: 'system' }, action: 'order.expired', subjectId: 'first' },
      { author: { shopId: OTHER_SHOP, principal: 'system' }, action: 'order.expired', subjectId: 'second' },
      { author: { shopId: SHOP, principal: 'system' }, action: 'order.expired', subjectId: 'third' },
    ]);
    for (const transaction of [...transactions, ...audit.transactions]) expect(transaction).toBe(TRANSACTION);
  });

  it('claims the orders for two minutes', async () => {
    await jobs.runRound('order-expiry');
    const [{ now, leaseUntil, limit }] = claims as [(typeof claims)[0]];
    expect(Math.abs(now.getTime() - Date.now())).toBeLessThan(MINUTE_MS);
    expect([leaseUntil.getTime() - now.getTime(), limit]).toEqual([2 * MINUTE_MS, 200]);
  });

  it('fails when the database is down, so that the health check shows it', async () => {
    isDown = true;
    await expect(jobs.runRound('order-expiry')).rejects.toThrow('the database is down');
    expect(expired).toEqual([]);
  });

  it('runs one after the other with transactions that change the uses of the same code in the same shop', async () => {
    await jobs.runRound('order-expiry');
    expect(queues.filter((queue) => queue !== undefined)).toEqual([
      codeInShop(SHOP, 'WELCOME'),
      codeInShop(OTHER_SHOP, 'WELCOME'),
    ]);
  });

  it('ends orders with different codes of one shop in transactions of their own', async () => {
    batches = [[overdue('first', { discountCode: 'WELCOME' }), overdue('second', { discountCode: 'SPRING' })]];
    await jobs.runRound('order-expiry');
    expect(queues.filter((queue) => queue !== undefined)).toEqual([
      codeInShop(SHOP, 'WELCOME'),
      codeInShop(SHOP, 'SPRING'),
    ]);
  });

  it('keeps an order that was paid in the meantime', async () => {
    paidMeanwhile = 'first';
    await jobs.runRound('order-expiry');
    expect(released.toSorted()).toEqual([`${SHOP} third`, `${OTHER_SHOP} second`]);
    expect(sorted(audit.entries).map(({ subjectId }) => subjectId)).toEqual(['second', 'third']);
  });

  it('sets an order aside that cannot be ended, longer after each failure, and ends all others', async () => {
    broken = new Set(['first', 'fourth']);
    batches[0]?.push(overdue('fourth', { expiryFailures: 3 }));
    const before = Date.now();
    await expect(jobs.runRound('order-expiry')).rejects.toThrow('the record is broken');
    expect(expired.map(({ id }) => id).sort()).toEqual(['second', 'third']);
    expect(released.toSorted()).toEqual([`${SHOP} third`, `${OTHER_SHOP} second`]);
    expect(postponed.map(({ shopId, id }) => [shopId, id])).toEqual([
      [SHOP, 'first'],
      [SHOP, 'fourth'],
    ]);
    const minutes = postponed.map(({ until }) => Math.floor((until.getTime() - before) / MINUTE_MS));
    expect(minutes).toEqual([2, 16]);
  });

  it('ends orders until no full batch is left', async () => {
    const full = (name: string): OverdueOrder[] =>
      Array.from({ length: 200 }, (_, index) => overdue(`${name} ${index}`));
    batches = [full('a'), full('b'), [overdue('last')]];
    await jobs.runRound('order-expiry');
    expect(expired).toHaveLength(401);
    expect(claims).toHaveLength(3);
  });

  it('begins nothing more when the service stops: other processes claim the other orders', async () => {
    jobs.isStopped = true;
    await jobs.runRound('order-expiry');
    expect([expired, postponed]).toEqual([[], []]);
  });
});
