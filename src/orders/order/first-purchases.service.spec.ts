import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP } from '../../../test/support/contexts.js';
import { type Call, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { type QuotasService } from '../../infrastructure/quotas/quotas.service.js';
import { type LedgerService } from '../ledger/ledger.service.js';
import { FirstPurchasesService } from './first-purchases.service.js';
import { type Order } from './order.types.js';
import { type OrdersRepository } from './orders.repository.js';

const ORDER = '655f1c2ab1e4a9d3f0c81250';
const STEVE = { buyerKey: 'steve@example.com', nicknameKey: 'steve_42' };
const NOON = new Date('2026-11-23T12:00:00.000Z');
const OTHER = { id: '655f1c2ab1e4a9d3f0c81251', shopId: SHOP, ...STEVE, isFirstPurchase: true } as Order;

let calls: Call[];
let earliest: Date | null;
let other: Order | null;
let service: FirstPurchasesService;

beforeEach(() => {
  [calls, earliest, other] = [[], null, null];
  service = new FirstPurchasesService(
    recording<OrdersRepository>(calls, {
      earliestPayment: () => Promise.resolve(earliest),
      endFirstPurchase: () => Promise.resolve(other),
    }),
    recording<LedgerService>(calls, { recordChange: () => Promise.resolve() }),
    recording<QuotasService>(calls, { claimMailbox: () => Promise.resolve() }),
  );
});

describe('decide', () => {
  const decide = (): Promise<boolean> => service.decide({ shopId: SHOP, id: ORDER, ...STEVE }, NOON, TRANSACTION);
  const READ = ['earliestPayment', SHOP, STEVE.buyerKey, ORDER, TRANSACTION];
  const CLAIMED = ['claimMailbox', SHOP, STEVE.buyerKey, TRANSACTION];

  it('returns true when the mailbox has paid no other order, and claims the mailbox, so that two orders at once cannot both be first', async () => {
    expect(await decide()).toBe(true);
    expect(calls).toEqual([READ, CLAIMED]);
  });

  it.each([
    ['before', -1],
    ['at the same time', 0],
  ])('returns false when another order was paid %s', async (_, offsetMs) => {
    earliest = new Date(NOON.getTime() + offsetMs);
    expect(await decide()).toBe(false);
    expect(calls).toEqual([READ]);
  });

  it('returns true for an order that was paid before all others, and removes the other one from the statistics', async () => {
    [earliest, other] = [new Date(NOON.getTime() + 1), OTHER];
    expect(await decide()).toBe(true);
    expect(calls).toEqual([
      READ,
      CLAIMED,
      ['endFirstPurchase', SHOP, STEVE.buyerKey, ORDER, TRANSACTION],
      ['recordChange', OTHER, { ...OTHER, isFirstPurchase: false }, TRANSACTION],
    ]);
  });

  it('returns true for a first purchase whose payment was even earlier', async () => {
    earliest = new Date(NOON.getTime() + 1);
    expect(await decide()).toBe(true);
    expect(calls.map(([name]) => name)).toEqual(['earliestPayment', 'claimMailbox', 'endFirstPurchase']);
  });
});
